import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namedIds, parseRequirements, readRequirements } from './support/requirements.ts'

// IDs of an area that does not exist: a real one would count as tested.

describe('the requirements document', () => {
  it('is read row by row, requirements and decisions', () => {
    const markdown = [
      '# Rows',
      '| ID | Requirement | Where |',
      '|---|---|---|',
      "| ZZ-01 | Shows 'Hello' | web |",
      "| ZZ-02 | A bar \\| in 'a \\| b' (see ZY-001) | web, function |",
      'Text that mentions ZZ-03.',
      '| ID | Point | Resolution | Touches |',
      '| ZY-001 | Unclear | Clear | ZZ-01, ZZ-02 |',
    ].join('\n')
    expect(parseRequirements(markdown)).toEqual([
      { id: 'ZZ-01', area: 'ZZ', text: "Shows 'Hello'" },
      { id: 'ZZ-02', area: 'ZZ', text: "A bar \\| in 'a \\| b' (see ZY-001)" },
      { id: 'ZY-001', area: 'ZY', text: 'Unclear → Clear' },
    ])
  })

  it('numbers each area from 1 without a gap, and refers to decisions that exist', async () => {
    const rows = await readRequirements()
    const areas = Map.groupBy(rows, ({ area }) => area)
    for (const [area, inArea] of areas)
      expect(inArea.map(({ id }) => id)).toEqual(
        inArea.map((_, index) => `${area}-${String(index + 1).padStart(area === 'DEC' ? 3 : 2, '0')}`),
      )
    const known = new Set(rows.map(({ id }) => id))
    const mentioned = new Set(rows.flatMap(({ text }) => text.match(/\bDEC-\d+/g) ?? []))
    expect(mentioned.size).toBeGreaterThan(50)
    expect([...mentioned].filter((id) => !known.has(id))).toEqual([])
    expect({
      requirements: rows.length - (areas.get('DEC')?.length ?? 0),
      decisions: areas.get('DEC')?.length,
    }).toEqual({ requirements: 615, decisions: 120 })
  })
})

describe('a test file', () => {
  it.each([
    ["it('ZZ-01 greets', () => {", ['ZZ-01']],
    ["it('ZZ-01, ZZ-02 and ZY-001 greet'", ['ZZ-01', 'ZZ-02', 'ZY-001']],
    ["  ['ZZ-07', 200], // as ZZ-08 says", ['ZZ-07']],
    ['it(`ZZ-01 greets ${name}`', ['ZZ-01']],
    ['// ZZ-01 is tested elsewhere', []],
    ['/** ZZ-01\n * ZZ-02 */\ntest("ZZ-03 greets")', ['ZZ-03']],
    ["it('reads https://a.example/ZZ-04')", ['ZZ-04']],
    ["glob('test/**'); it('ZZ-05 greets'); glob('**/*.ts')", ['ZZ-05']],
    ["it('UTF-8 and SHA-256x')", []],
  ])('%j names %j', (source, ids) => {
    expect([...namedIds(source)]).toEqual(ids)
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
    expect(output).toMatch(/\n\d+ of 615 requirements are named by a test\n$/)
  })

  it('fails on a required ID that is unknown, and without any ID', async () => {
    expect(await coverage('--require', 'ZZ-01')).toEqual({
      exitCode: 1,
      output: 'no such requirement: ZZ-01\n',
    })
    expect(await coverage('--require')).toEqual({ exitCode: 1, output: 'no ID was given\n' })
  })
})
