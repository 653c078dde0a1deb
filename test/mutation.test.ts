import { expect, it } from 'vitest'
import { countResults, findTests, formatScores, parseTarget } from './mutation/run.ts'
import {
  drawSample,
  intervalOfShare,
  limitStaticPlans,
  reducePlan,
  type Draw,
  type Plan,
} from './mutation/sample.ts'

it('a target is a folder of the functions, the page’s modules without markup, a folder below one, or one file', () => {
  expect(parseTarget('mfa')).toMatchObject({
    folder: 'functions/mfa',
    mutate: ['functions/mfa/**/*.ts', '!**/*.test.ts', '!**/*.d.ts'],
    environment: 'node',
  })
  expect(parseTarget('mfa/totp.ts:10-60').mutate).toEqual(['functions/mfa/totp.ts:10-60'])
  expect(parseTarget('web')).toMatchObject({
    folder: 'web/src',
    mutate: ['web/src/**/*.ts', '!**/*.test.ts', '!**/*.d.ts'],
    environment: 'jsdom',
  })
  for (const name of ['web/lib/file.ts', 'web/src/lib/file.ts'])
    expect(parseTarget(name)).toMatchObject({ folder: 'web/src', mutate: ['web/src/lib/file.ts'] })
  // as completed by a shell
  expect(parseTarget('web/src')).toEqual(parseTarget('web'))
  expect(parseTarget('functions/mfa')).toEqual(parseTarget('mfa'))
  expect(parseTarget('web/lib')).toMatchObject({ folder: 'web/src', part: 'web/src/lib' })
  expect(parseTarget('models').mutate[0]).toBe('functions/models/**/*.ts')
  expect(() => parseTarget('web/app.tsx')).toThrow(/is no \.ts file/)
})

it('finds the tests of a folder, its own first, and none that imports only types', () => {
  const sources = new Map(
    Object.entries({
      'functions/mfa/totp.ts': "import { limit } from '#shared/limits.ts'",
      'functions/mfa/totp.test.ts': "import {\n  code,\n  step,\n} from './totp.ts'",
      'functions/account/erase.ts': "import { code } from '../mfa/totp.ts'",
      'functions/account/erase.test.ts': "const { erase } = await import('./erase.ts')",
      'functions/account/again.test.ts': "import { it } from 'vitest'\nexport * from './erase.ts'",
      'functions/account/direct.test.ts': "import { code } from '../mfa/totp.ts'",
      'functions/account/helped.test.ts': "import { enrol } from '../../test/support/enrol.ts'",
      'functions/chat/types.test.ts': "import type { Code } from '../mfa/totp.ts'",
      'test/support/enrol.ts': "import '../../functions/mfa/totp.ts'",
      'shared/limits.ts': '',
    }),
  )
  const own = 'functions/mfa/totp.test.ts'
  const direct = ['functions/account/direct.test.ts', 'functions/account/helped.test.ts']
  const further = ['functions/account/again.test.ts', 'functions/account/erase.test.ts']
  expect(findTests(sources, 'functions/mfa')).toEqual([own, ...direct])
  expect(findTests(sources, 'functions/mfa', { wide: true })).toEqual([
    own,
    ...[...direct, ...further].toSorted(),
  ])
  expect(findTests(sources, 'functions/account')).toEqual([...direct, ...further].toSorted())
  expect(findTests(sources, 'shared')).toEqual([])
  expect(findTests(sources, 'shared', { wide: true })).toContain(own)
})

it('finds the tests of one file: those that load it, directly or through other modules', () => {
  const sources = new Map(
    Object.entries({
      'functions/mfa/totp.ts': '',
      'functions/mfa/enrol.ts': "import './totp.ts'",
      'functions/mfa/codes.ts': '',
      'functions/mfa/totp.test.ts': "import './totp.ts'",
      'functions/mfa/enrol.test.ts': "import './enrol.ts'",
      'functions/mfa/codes.test.ts': "import './codes.ts'",
    }),
  )
  expect(findTests(sources, 'functions/mfa', { file: 'functions/mfa/totp.ts' })).toEqual([
    'functions/mfa/enrol.test.ts',
    'functions/mfa/totp.test.ts',
  ])
})

it('runs code that is evaluated at import with all tests that load it, other code with those that execute it', () => {
  const at = (fileName: string, changes: Partial<Plan> & { static?: boolean } = {}): Plan => {
    const { static: isStatic = true, ...more } = changes
    const mutant = {
      id: fileName,
      fileName,
      static: isStatic,
      mutatorName: 'm',
      location: { start: { line: 1, column: 1 } },
    }
    return { mutant, runOptions: {}, ...more }
  }
  const plans = [
    at('a.ts'),
    at('b.ts'),
    at('a.ts', { static: false }),
    at('c.ts'),
    { mutant: at('a.ts').mutant },
  ]
  const tests = [
    { id: 'a.test.ts#one', fileName: `${process.cwd()}/a.test.ts` },
    { id: 'a.test.ts#two', fileName: `${process.cwd()}/a.test.ts` },
    { id: 'b.test.ts#one', fileName: `${process.cwd()}/b.test.ts` },
  ]
  const loaders = new Map([
    ['a.ts', new Set(['a.ts', 'a.test.ts'])],
    ['b.ts', new Set(['b.ts', 'a.ts', 'a.test.ts', 'b.test.ts'])],
  ])
  limitStaticPlans(plans, tests, (path) => loaders.get(path) ?? new Set())
  expect(plans.map(({ runOptions }) => runOptions?.testFilter)).toEqual([
    ['a.test.ts#one', 'a.test.ts#two'],
    ['a.test.ts#one', 'a.test.ts#two', 'b.test.ts#one'],
    undefined,
    undefined,
    undefined,
  ])
})

it('counts an endless loop as noticed, code that no test runs as not noticed, and code that failed to load not at all', () => {
  const results = (
    [
      'Killed',
      'Timeout',
      'Killed',
      'Survived',
      'NoCoverage',
      'RuntimeError',
      'CompileError',
      'Ignored',
    ] as const
  ).map((status) => ({ status }))
  const counted = { target: 'mfa', mutants: 5, killed: 3, timedOut: 1, survived: 1, notCovered: 1, score: 60 }
  expect(countResults('mfa', results)).toEqual(counted)
  expect(countResults('empty', [])).toMatchObject({ mutants: 0, score: 100 })
  expect(formatScores([counted])).toMatch(/\| `mfa` \| 5 \| 3 \| 1 \| 1 \| 1 \| 60\.0 % \|  \|  \|$/)
  const sampled = countResults('mfa', results, { all: 619, seed: 7 })
  expect(sampled).toEqual({ ...counted, sample: { all: 619, seed: 7, interval: [23.1, 88.2] } })
  expect(formatScores([sampled])).toMatch(/ 5 of 619 \|.*\| 60\.0 % \| 23\.1–88\.2 % \| 7 \|$/)
})

it('draws the same sample for the same seed, each item at most once, and all items equally often', () => {
  const items = Array.from({ length: 50 }, (_, index) => index)
  const sample = drawSample(items, { size: 10, seed: 1 })
  expect(new Set(sample).size).toBe(10)
  expect(drawSample(items, { size: 10, seed: 1 })).toEqual(sample)
  expect(drawSample(items, { size: 10, seed: 2 })).not.toEqual(sample)
  expect(drawSample(items, { size: 80, seed: 1 }).toSorted((a, b) => a - b)).toEqual(items)
  const hits = items.map(() => 0)
  for (let seed = 0; seed < 2_000; seed++)
    for (const item of drawSample(items, { size: 10, seed })) hits[item] = (hits[item] ?? 0) + 1
  // 400 are expected for each; five standard deviations are 90
  expect(Math.min(...hits)).toBeGreaterThan(310)
  expect(Math.max(...hits)).toBeLessThan(490)
})

// values of the closed formula, as in Brown, Cai and DasGupta, Interval Estimation for a Binomial Proportion
it.each([
  [0, 10, [0, 27.8]],
  [10, 10, [72.2, 100]],
  [85, 100, [76.7, 90.7]],
  [0, 0, [0, 100]],
] as const)('%i of %i noticed means between %j percent of all', (hits, size, interval) => {
  expect(intervalOfShare(hits, size)).toEqual(interval)
})

it('keeps the drawn changes of a plan, in whatever order the changes were found', () => {
  const plans = Array.from({ length: 12 }, (_, index) => ({
    mutant: {
      id: String(index),
      fileName: index < 6 ? 'a.ts' : 'b.ts',
      location: { start: { line: index, column: 0 } },
      mutatorName: 'StringLiteral',
      replacement: '""',
    },
  }))
  const reduce = (all: typeof plans) => {
    const draw: Draw = { size: 4, seed: 3, all: 0, drawn: new Set() }
    const remaining = [...all]
    reducePlan(remaining, draw)
    return { draw, remaining }
  }
  const { draw, remaining } = reduce(plans)
  expect(draw.all).toBe(12)
  expect(new Set(remaining.map(({ mutant }) => mutant.id))).toEqual(draw.drawn)
  expect(remaining).toHaveLength(4)
  expect(reduce(plans.toReversed()).draw.drawn).toEqual(draw.drawn)
})
