import fc from 'fast-check'
import { vi } from 'vitest'

/**
 * Property tests say what holds for every input. In `npm test` they are few and always the same; `npm run soak -- --only=fuzz`
 * sets FUZZ_RUNS and FUZZ_SEED, which are read here and nowhere else.
 */
const runs = Number(process.env['FUZZ_RUNS'] ?? 50)
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_120)

// a property takes as long as its inputs; what one of them may cost is looked at by `inTime`
vi.setConfig({ testTimeout: 3_600_000 })
fc.configureGlobal({ numRuns: runs, seed, verbose: fc.VerbosityLevel.None })

export { fc }

/** Properties whose one run costs a hundred times another's: a share of the runs, and at least one. */
export const fewer = (share: number): { numRuns: number } => ({
  numRuns: Math.max(1, Math.ceil(runs / share)),
})

/** What one input may cost at most: of the thread's own time, so that a busy machine makes no test red. */
const mostMs = 400

/** @throws Error when the work takes longer than any input is worth */
export function inTime<Result>(work: () => Result): Result {
  const before = process.threadCpuUsage()
  const result = work()
  checkTime(before)
  return result
}

/** As `inTime`, for work that waits. */
export async function inTimeAsync<Result>(work: () => Promise<Result>, most = mostMs): Promise<Result> {
  const before = process.threadCpuUsage()
  const result = await work()
  checkTime(before, most)
  return result
}

function checkTime(before: NodeJS.CpuUsage, most = mostMs): void {
  const { user, system } = process.threadCpuUsage(before)
  const tookMs = (user + system) / 1_000
  if (tookMs > most) throw new Error(`it took ${Math.round(tookMs)} ms of the processor`)
}

/** Any text there may be: letters of all planes, halves of surrogate pairs, control and direction characters. */
export const anyText = (maxLength = 200): fc.Arbitrary<string> =>
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

/** Text that leaves JavaScript unchanged: without halves of surrogate pairs. */
export const wholeText = (maxLength = 200): fc.Arbitrary<string> =>
  anyText(maxLength).map((text) => text.toWellFormed())

/** What has hurt programs before. */
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
 * Text that makes patterns go back and forth: a beginning, a few letters again and again, and an end that fits to neither.
 * @param pieces what the parser under test looks for
 */
export function pumpedText(pieces: readonly string[], length = 20_000): fc.Arbitrary<string> {
  const piece = fc.constantFrom(...pieces, ' ', '\n', 'a', '\u00a0', '\u2028', '\\', '"')
  const some = (most: number) =>
    fc.array(piece, { minLength: 1, maxLength: most }).map((parts) => parts.join(''))
  return fc
    .tuple(fc.option(some(2), { nil: '' }), some(3), fc.option(some(2), { nil: '' }))
    .map(([before, again, after]) => before + again.repeat(Math.ceil(length / again.length)) + after)
}

/** Single letters; now and then one that is none. */
const unit = fc.oneof(
  { arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), weight: 9 },
  { arbitrary: fc.constantFrom('\0', '\ud800', '\udc00', '\n', '<', '"'), weight: 1 },
)

/** JSON as anybody may send it, prototypes' names among its keys, and now and then deeper than a stack. */
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

/** Lists in lists; told by their depth, for nobody can print them. */
function deep(levels: number): unknown {
  let value: object = []
  for (let level = 1; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return Object.defineProperty(value, fc.toStringMethod, { value: () => `deep(${levels})` })
}

/** A copy of a JSON value with something in it replaced, taken away or added. */
export function mutated(value: unknown, surprise: fc.Arbitrary<unknown> = anyJson()): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      fc.array(fc.nat(50), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('replace', 'remove', 'add'),
      surprise,
    )
    .map(([way, how, other]) => changed(value, way, how, other))
}

function changed(value: unknown, [step = 0, ...way]: number[], how: string, other: unknown): unknown {
  if (typeof value !== 'object' || value === null) return other
  const entries = Object.entries(value)
  const at = entries.length > 0 ? step % entries.length : 0
  const found = entries[at]
  if (found === undefined || (how === 'add' && way.length === 0)) entries.push(['surprise', other])
  else if (way.length > 0) found[1] = changed(found[1], way, how, other)
  else if (how === 'remove') entries.splice(at, 1)
  else found[1] = other
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

/** The JSON of a value; of one that is deeper than the engine's own writer goes, something as deep. */
export function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return '['.repeat(20_000) + ']'.repeat(20_000)
  }
}
