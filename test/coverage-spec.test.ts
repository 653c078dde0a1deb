import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parseRequirements, readRequirements } from './support/requirements.ts'
import { findGap, maxRows, readNamedTests, readTestsByRow } from './support/row-coverage.ts'
import {
  boundaries,
  journeys,
  listFirstTier,
  ofTheBuild,
  readFirstTier,
  withOwnProduct,
} from './support/tiers.ts'

// IDs of an area that does not exist: a real one would count as tested.

describe('the requirements document', () => {
  it('is read row by row, requirements and decisions', () => {
    const table = [
      'id\trequirement\tstatus',
      "ZZ-01\tShows 'Hello'\tholds",
      'ZZ-02\tA bar | in a | b\tchanged: ZY-001',
      'ZY-001\tClear\tZZ-01, ZZ-02',
      '',
    ].join('\n')
    expect(parseRequirements(table)).toEqual([
      { id: 'ZZ-01', area: 'ZZ', text: "Shows 'Hello'", status: 'holds' },
      { id: 'ZZ-02', area: 'ZZ', text: 'A bar | in a | b', status: 'changed: ZY-001' },
      { id: 'ZY-001', area: 'ZY', text: 'Clear', status: 'ZZ-01, ZZ-02' },
    ])
  })

  it.each(['ZZ-01', 'ZZ-01\tholds', 'ZZ-01\tShows\tall\tholds', 'Text that mentions ZZ-03.'])(
    'refuses the row %j',
    (row) => {
      expect(() => parseRequirements(`id\trequirement\tstatus\n${row}\n`)).toThrow(row)
    },
  )

  it('numbers each area from 1 without a gap, and refers to rows that exist', async () => {
    const rows = await readRequirements()
    const areas = Map.groupBy(rows, ({ area }) => area)
    for (const [area, inArea] of areas)
      expect(inArea.map(({ id }) => id)).toEqual(
        inArea.map((_, index) => `${area}-${String(index + 1).padStart(area === 'DEC' ? 3 : 2, '0')}`),
      )
    const decisions = areas.get('DEC') ?? []
    const requirements = rows.filter(({ area }) => area !== 'DEC')
    expect({ requirements: requirements.length, decisions: decisions.length }).toEqual({
      requirements: 615,
      decisions: 195,
    })
    const isStatus = /^(holds|changed: DEC-\d{3}(, DEC-\d{3})*)$/
    expect(requirements.filter(({ status }) => !isStatus.test(status))).toEqual([])
    // a decision about a row is named in it, so that the row does not claim to hold as it was
    const statuses = new Map(requirements.map(({ id, status }) => [id, status]))
    const unnamed = decisions.flatMap(({ id, status }) =>
      (status.match(/\b[A-Z]+-\d{2}\b/g) ?? [])
        .filter((row) => statuses.get(row)?.includes(id) === false)
        .map((row) => `${id} is not in ${row}`),
    )
    expect(unnamed).toEqual([])
    const known = new Set(rows.map(({ id }) => id))
    const mentioned = rows.flatMap(
      ({ text, status }) => `${text} ${status}`.match(/\b[A-Z]+-\d{2,3}\b/g) ?? [],
    )
    expect(mentioned.filter((id) => !known.has(id) && !/^(UTF|SHA|ISO|AES|RFC)-/.test(id))).toEqual([])
  })
})

const readTests = async (...lines: string[]) =>
  (await readNamedTests('test/sample.test.tsx', lines.join('\n'))).map(({ ids, expectations }) => ({
    ids,
    expectations,
  }))

describe('a test file', () => {
  it.each([
    ["it('ZZ-01 greets', () => {})", [['ZZ-01']]],
    ["it('ZZ-01, ZZ-02 and ZY-001 greet', () => {})", [['ZZ-01', 'ZZ-02', 'ZY-001']]],
    [
      "it.each([['ZZ-07', 200], ['ZZ-08', 'is a ZZ-09']])('ZY-001 %s', () => {})",
      [
        ['ZY-001', 'ZZ-07'],
        ['ZY-001', 'ZZ-08', 'ZZ-09'],
      ],
    ],
    ["const cases = [['ZZ-07'], ['ZZ-08']] as const; it.each(cases)('%s', () => {})", [['ZZ-07'], ['ZZ-08']]],
    ["for (const [id] of [['ZZ-07'], ['ZZ-08']]) it(`${id} greets`, () => {})", [['ZZ-07'], ['ZZ-08']]],
    ['it(`ZZ-01 greets ${name}`, () => {})', [['ZZ-01']]],
    ['// ZZ-01 is tested elsewhere', []],
    ['/** ZZ-01\n * ZZ-02 */\ntest("ZZ-03 greets", () => {})', [['ZZ-03']]],
    ["it('reads https://a.example/ZZ-04', () => {})", [['ZZ-04']]],
    [
      "describe('ZZ-01', () => { it('greets', () => {}); it('ZZ-02 greets', () => {}) })",
      [['ZZ-01'], ['ZZ-02']],
    ],
    ["it('greets', () => { expect(name, 'ZZ-01').toBe('Ann') })", [['ZZ-01']]],
    ["it('UTF-8 and SHA-256x', () => {})", []],
  ])('%j names %j', async (source, ids) => {
    expect((await readTests(source)).map((test) => test.ids)).toEqual(ids)
  })

  it.each([
    ['an expect', 'expect(a).toBe(1); await expect.poll(() => a).toBe(2)', 2],
    ['an expect that waits', 'await vi.waitFor(() => expect(a).toBe(1))', 1],
    ['a helper by its name', "expectRefusal(answer, 'no')", 1],
    ['a query that fails without an element', "await screen.findByText('a'); screen.getByText('b')", 2],
    [
      'no query that a step needs',
      "fireEvent.click(await screen.findByText('a')); screen.queryByText('b')",
      0,
    ],
    [
      'the wait for a locator, and for an address',
      "await page.getByText('a').waitFor(); await page.waitForURL('/')",
      2,
    ],
    ['no wait for a state that nothing checks', 'await vi.waitFor(() => ready())', 0],
    ['what a helper of the file expects', 'greet()', 2],
    ['what a helper of test/support expects, its waits apart', 'await say(page); closeTo(1, 2)', 0],
    [
      'an assertion about a template',
      'template.hasResourceProperties(a, b); template.resourceCountIs(a, 1)',
      2,
    ],
    ['a property', 'fc.assert(fc.property(a, (b) => b > 0))', 1],
  ])('counts %s', async (_, body, expectations) => {
    const tests = await readTests(
      "import { say } from './support/page-steps.ts'",
      'const greet = () => { expect(a).toBe(1); expect(b).toBe(1) }',
      `it('ZZ-01 greets', async () => { ${body} })`,
    )
    expect(tests).toEqual([{ ids: ['ZZ-01'], expectations }])
  })

  it('counts the expectations of a table for all rows that it names', async () => {
    const table = "it.each([['a'], ['b']])('ZZ-01 ZZ-02 %s', () => { expect(a).toBe(1) })"
    expect(await readTests(table)).toEqual([{ ids: ['ZZ-01', 'ZZ-02'], expectations: 2 }])
    expect(await readTests(table.replace("'a'", "'ZZ-03'"))).toEqual([
      { ids: ['ZZ-01', 'ZZ-02', 'ZZ-03'], expectations: 1 },
    ])
    expect(await readTests(table.replace('ZZ-01 ZZ-02', 'ZZ-01').replace("'a'", "'ZZ-03'"))).toEqual([
      { ids: ['ZZ-01', 'ZZ-03'], expectations: 2 },
    ])
  })

  it('does not count the tests of a describe twice', async () => {
    const source = `describe('ZZ-01', () => {
      it('greets', () => { expect(a).toBe(1); expect(b).toBe(1) })
      it('ZZ-02 leaves', () => { expect(a).toBe(1) })
    })`
    expect(await readTests(source)).toEqual([
      { ids: ['ZZ-01'], expectations: 2 },
      { ids: ['ZZ-02'], expectations: 1 },
    ])
  })

  it('reports a file that cannot be parsed by name', async () => {
    await expect(readTests("it('ZZ-01',")).rejects.toThrow(/^test\/sample\.test\.tsx: /)
  })
})

describe('a row', () => {
  const named = (rows: number, expectations: number) => ({
    file: 'a.test.ts',
    line: 1,
    title: 'greets',
    ids: Array.from({ length: rows }, (_, index) => `ZZ-0${index}`),
    expectations,
  })

  it.each([
    ['no test', []],
    ['bulk title', [named(4, 9)]],
    ['too few expectations', [named(4, 9), named(3, 2)]],
    [null, [named(4, 9), named(3, 2), named(3, 3)]],
    [null, [named(1, 1)]],
    ['too few expectations', [named(1, 0)]],
  ])('has the gap %j with %j', (gap, tests) => {
    expect(findGap(tests)).toBe(gap)
  })
})

describe('the tests of this project', () => {
  let testsByRow: Awaited<ReturnType<typeof readTestsByRow>>
  beforeAll(async () => {
    testsByRow = await readTestsByRow()
  })

  it('cover every row, by titles that name three rows at most', async () => {
    const rows = await readRequirements()
    const open = rows.filter(({ id }) => findGap(testsByRow.get(id) ?? []) !== null)
    expect(open.map(({ id }) => id)).toEqual([])
    const known = new Set(rows.map(({ id }) => id))
    const bulky = [...testsByRow.values()]
      .flat()
      .filter(({ ids }) => ids.length > maxRows && ids.every((id) => known.has(id)))
    expect(new Set(bulky.map(({ file, line }) => `${file}:${line}`))).toEqual(new Set())
  })

  it('of the browser in `npm test` name a row that no cheaper test covers, or are listed', () => {
    const isOfBrowser = ({ file }: { file: string }) => file.startsWith('test/e2e/')
    const alone = [...testsByRow.values()].filter(
      (covering) => findGap(covering.filter((test) => !isOfBrowser(test))) !== null,
    )
    const places = new Set(alone.flat().map(({ file, line }) => `${file}:${line}`))
    const listed = [...journeys, ...boundaries, ...ofTheBuild]
    const tests = readFirstTier('e2e').flatMap((file) => file.tests)
    const isListed = ({ title }: { title: string }) => listed.some((start) => title.startsWith(start))
    expect(tests.filter((test) => !places.has(`${test.file}:${test.line}`) && !isListed(test))).toEqual([])
    expect(listed.filter((start) => !tests.some(({ title }) => title.startsWith(start)))).toEqual([])
    expect(journeys).toHaveLength(12)
  })

  it('of the API in `npm test` share their products, or are listed', () => {
    const files = readFirstTier('api').filter(({ tests }) => tests.length > 0)
    expect([...new Set(files.flatMap(({ starts }) => starts.map(({ file }) => file)))].toSorted()).toEqual(
      withOwnProduct,
    )
  })
})

describe('of a file, `npm test` runs', () => {
  it.each([
    ["it('a', () => {})", ['a']],
    ["it('a', { tags: 'long' }, () => {})", []],
    ["describe('of b', { tags: 'long' }, () => { it('b', () => {}) })", []],
    [
      "describe('of b', () => { it.each([1])('b %i', () => {}); it('c', { tags: 'trial' }, () => {}) })",
      ['b %i'],
    ],
    ["/** @module-tag long */\nit('a', () => {})", []],
    ['for (const name of names) it(`shows ${name}`, open)', ['shows ${name}']],
    ["it('a', async () => { await startStack() })", ['a', 'startStack()']],
    ["it('a', { tags: 'long' }, async () => { await startStack() })", []],
  ])('of %j: %j', (source, expected) => {
    const { tests, starts } = listFirstTier('a.test.ts', source)
    expect([...tests, ...starts].map(({ title }) => title)).toEqual(expected)
  })
})

describe('npm run coverage:spec', () => {
  const coverage = (...args: string[]) =>
    new Promise<{ exitCode: number; output: string }>((resolve) => {
      const script = join(import.meta.dirname, 'coverage-spec.ts')
      execFile(process.execPath, [script, ...args], (error, stdout, stderr) =>
        resolve({ exitCode: error ? Number(error.code) : 0, output: stdout + stderr }),
      )
    })

  it('counts each area and ends with the sum', async () => {
    const { exitCode, output } = await coverage()
    expect(exitCode).toBe(0)
    expect(output).toMatch(/^MENU +\d+\/9\b/m)
    expect(output).toMatch(/\n\d+ of 615 requirements are covered by a test that names at most 3 and/)
  })

  it('takes from a file the words with the area of a requirement', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'juno-coverage-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'plan.md')
    await writeFile(file, 'ERR-2, sealed with AES-256 in UTF-8')
    expect(await coverage('--require', file)).toEqual({
      exitCode: 1,
      output: 'no such requirement: ERR-2\n',
    })
  })

  it('fails on a required ID that is unknown, and without any ID', async () => {
    const [unknown, none] = await Promise.all([
      coverage('--require', 'ZZ-01', 'ERR-2'),
      coverage('--require'),
    ])
    expect(unknown).toEqual({ exitCode: 1, output: 'no such requirement: ZZ-01 ERR-2\n' })
    expect(none).toEqual({ exitCode: 1, output: 'no ID was given\n' })
  })
})
