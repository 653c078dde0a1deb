import fc from 'fast-check'
import { vi } from 'vitest'

/**
 * Property tests check what holds for every input. `npm test` uses few inputs, always the same; the second tier (test/fuzz-inputs.test.ts)
 * and `npm run soak -- --only=fuzz` set FUZZ_RUNS and FUZZ_SEED, which are read here and nowhere else.
 */
const runs = Number(process.env['FUZZ_RUNS'] ?? 5)
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_120)

// no time limit per property: `limitCpuTime` limits each input
vi.setConfig({ testTimeout: 3_600_000 })
fc.configureGlobal({ numRuns: runs, seed, verbose: fc.VerbosityLevel.None })

export { fc }

/** For properties with expensive runs: the runs divided by `divisor`, at least one. */
export const divideRuns = (divisor: number): { numRuns: number } => ({
  numRuns: Math.max(1, Math.ceil(runs / divisor)),
})

/** Inputs that are listed: in `npm test` each `every`th, from an index on, otherwise all. */
export const part = <Input>(inputs: readonly Input[], every: number, from = 0): readonly Input[] =>
  runs < 25 ? inputs.filter((_, index) => index % every === from % every) : inputs

/** Limit for one input, in CPU time of the thread, so that a busy machine fails no test. */
const maxInputMs = 400
/** `npm run mutation` runs the product with a counter in each statement, which no limit is for. */
const isInstrumented = () => '__stryker__' in globalThis

/** @throws Error when the work takes too long for one input */
export function limitCpuTime<Result>(work: () => Result, maxMs = maxInputMs): Result {
  const before = process.threadCpuUsage()
  const result = work()
  checkTime(before, maxMs)
  return result
}

/** Like `limitCpuTime`, for asynchronous work. */
export async function limitCpuTimeAsync<Result>(
  work: () => Promise<Result>,
  maxMs = maxInputMs,
): Promise<Result> {
  const before = process.threadCpuUsage()
  const result = await work()
  checkTime(before, maxMs)
  return result
}

function checkTime(before: NodeJS.CpuUsage, maxMs = maxInputMs): void {
  const { user, system } = process.threadCpuUsage(before)
  const tookMs = (user + system) / 1_000
  if (tookMs > maxMs && !isInstrumented())
    throw new Error(`it took ${Math.round(tookMs)} ms of the processor`)
}

/** Any text: letters of all planes, lone surrogates, control and direction characters. */
export const arbitraryText = (maxLength = 200): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength }),
    fc.string({ unit: 'grapheme', maxLength }),
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength })
      .map((units) => String.fromCharCode(...units)),
    fc
      .array(fc.constantFrom(...oddities), { maxLength: 8 })
      .map((parts) => parts.join('').slice(0, maxLength)),
  )

/** Text without lone surrogates, which UTF-8 preserves. */
export const wellFormedText = (maxLength = 200): fc.Arbitrary<string> =>
  arbitraryText(maxLength).map((text) => text.toWellFormed())

/** Strings that are known to break programs. */
const oddities = [
  '\0',
  '\r\n',
  '\n',
  '\r',
  '\t',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u200d',
  '\ufeff',
  '\ud800',
  '\udc00',
  '👩‍👩‍👧',
  'e\u0301',
  '__proto__',
  'constructor',
  'toString',
  '../',
  '%00',
  '"',
  "'",
  '<',
  '>',
  '&',
  '\\',
  '=?UTF-8?B?',
  'javascript:',
  'data: [DONE]\n\n',
  ' ',
  'a',
  'Z',
  '9',
]

/**
 * Text that causes backtracking: a beginning, a few repeated letters, and an end that matches neither.
 * @param pieces tokens of the parser under test
 */
export function backtrackingText(pieces: readonly string[], length = 20_000): fc.Arbitrary<string> {
  const piece = fc.constantFrom(...pieces, ' ', '\n', 'a', '\u00a0', '\u2028', '\\', '"')
  const some = (most: number) =>
    fc.array(piece, { minLength: 1, maxLength: most }).map((parts) => parts.join(''))
  return fc
    .tuple(fc.option(some(2), { nil: '' }), some(3), fc.option(some(2), { nil: '' }))
    .map(([before, again, after]) => before + again.repeat(Math.ceil(length / again.length)) + after)
}

/** Single characters; now and then a lone surrogate. */
const unit = fc.oneof(
  { arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), weight: 9 },
  { arbitrary: fc.constantFrom('\0', '\ud800', '\udc00', '\n', '<', '"'), weight: 1 },
)

/** Any JSON, with prototype names among its keys, and now and then deeper than the call stack. */
export const anyJson = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: fc.jsonValue({ maxDepth: 4, stringUnit: unit }), weight: 8 },
    {
      arbitrary: fc.dictionary(fc.constantFrom('__proto__', 'constructor', '', 'a'), fc.jsonValue()),
      weight: 1,
    },
    { arbitrary: fc.integer({ min: 30, max: 20_000 }).map(deep), weight: 1 },
    { arbitrary: fc.constantFrom(1e300, -1e300, 1e17, -0, 2 ** 53, 0.1, '', null), weight: 1 },
  )

/** Nested lists; printed as their depth, because they are too deep to print. */
function deep(levels: number): unknown {
  let value: object = []
  for (let level = 1; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return Object.defineProperty(value, fc.toStringMethod, { value: () => `deep(${levels})` })
}

/** A copy of a JSON value with something replaced, removed or added. */
export function mutatedJson(
  value: unknown,
  surprise: fc.Arbitrary<unknown> = anyJson(),
): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      fc.array(fc.nat(50), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('replace', 'remove', 'add'),
      surprise,
    )
    .map(([path, how, other]) => change(value, path, how, other))
}

function change(value: unknown, [step = 0, ...path]: number[], how: string, other: unknown): unknown {
  if (typeof value !== 'object' || value === null) return other
  const entries = Object.entries(value)
  const at = entries.length > 0 ? step % entries.length : 0
  const found = entries[at]
  if (found === undefined || (how === 'add' && path.length === 0)) entries.push(['surprise', other])
  else if (path.length > 0) found[1] = change(found[1], path, how, other)
  else if (how === 'remove') entries.splice(at, 1)
  else found[1] = other
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

/** The JSON of a value; for one too deep for JSON.stringify, other JSON of the same depth. */
export function stringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return '['.repeat(20_000) + ']'.repeat(20_000)
  }
}
