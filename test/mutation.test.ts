import { expect, it } from 'vitest'
import { countResults, findTests, formatScores, parseTarget } from './mutation/run.ts'

it('a target is a folder of the functions, the page’s modules without markup, or one file', () => {
  expect(parseTarget('mfa')).toMatchObject({
    folder: 'functions/mfa',
    mutate: ['functions/mfa/**/*.ts', '!**/*.test.ts', '!**/*.d.ts'],
    environment: 'node',
  })
  expect(parseTarget('mfa/totp.ts:10-60').mutate).toEqual(['functions/mfa/totp.ts:10-60'])
  expect(parseTarget('web')).toMatchObject({ folder: 'web/src', environment: 'jsdom' })
  for (const name of ['web/lib/file.ts', 'web/src/lib/file.ts'])
    expect(parseTarget(name)).toMatchObject({ folder: 'web/src', mutate: ['web/src/lib/file.ts'] })
})

it('finds the tests of a folder, its own first, and none that only names its types', () => {
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

it('counts an endless loop as noticed, code that no test runs as not, and what did not load not at all', () => {
  const results = (
    [
      'Killed',
      'Killed',
      'Timeout',
      'Survived',
      'NoCoverage',
      'RuntimeError',
      'CompileError',
      'Ignored',
    ] as const
  ).map((status) => ({ status }))
  const counted = { target: 'mfa', mutants: 5, killed: 3, survived: 1, notCovered: 1, score: 60 }
  expect(countResults('mfa', results)).toEqual(counted)
  expect(countResults('empty', [])).toMatchObject({ mutants: 0, score: 100 })
  expect(formatScores([counted])).toMatch(/\| `mfa` \| 5 \| 3 \| 1 \| 1 \| 60\.0 % \|$/)
})
