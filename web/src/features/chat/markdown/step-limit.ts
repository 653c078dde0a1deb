import type {
  Construct,
  ConstructRecord,
  Effects,
  Extension,
  FullNormalizedExtension,
  Point,
  State,
  TokenizeContext,
} from 'micromark-util-types'

/** How many lists and quotes may be around a line. Ordinary texts have a few. */
const maxDepth = 16
/**
 * A construct of the parser may look at, or move, all events before it. This is how many events cost as much as a step (some 100 ns,
 * measured): emphasis is matched with all emphasis before it, the end of a link looks for its beginning, and the others only move events.
 */
const eventsPerStep = { emphasis: 2, linkEnd: 16, container: 64, other: 1_024 }
/**
 * What is found in a text ends a run of characters, whose events become one. That moves all events after it, which costs more and more in
 * a long list: 100,000 events cost 8,000 steps in Chromium (measured).
 */
const squareEventsPerStep = 1_250_000

/** Whether the stack has overflowed. Browsers have different classes and messages for it. */
const isStackOverflow = (error: unknown) =>
  error instanceof Error && /call stack size|too much recursion/i.test(error.message)

/** Thrown inside the parser for a text that takes too many steps, or is nested too deep. `limitSteps` catches it. */
export class MarkdownTooComplexError extends Error {}

// The state of the parse that runs. Only one does, and the parser gives its extensions no other place for it.
let stepsLeft = 0
let totalSteps = 0
let lastLine = 0
let lastOffset = -1
let depth = 0

/**
 * Runs a parse whose parser has the extension `stepCounter`.
 * @param maxSteps characters that the parser may read, the repeated ones included, and constructs that it may try
 * @returns the result, and the steps that it took; undefined for a text that takes more, or is nested too deep
 */
export function limitSteps<Result>(
  maxSteps: number,
  parse: () => Result,
): { result: Result; steps: number } | undefined {
  stepsLeft = maxSteps
  lastLine = 0
  try {
    return { result: parse(), steps: maxSteps - stepsLeft }
  } catch (error) {
    // a deeply nested text may overflow the stack before it reaches the limit
    if (error instanceof MarkdownTooComplexError || isStackOverflow(error)) return undefined
    throw error
  } finally {
    totalSteps += maxSteps - stepsLeft
  }
}

/** The number of steps of all parses since the page was loaded. */
export const getTotalSteps = (): number => totalSteps

function spendSteps(steps: number): void {
  stepsLeft -= steps
  if (stepsLeft < 0) throw new MarkdownTooComplexError()
}

/**
 * The steps for each event of a list's or quote's own marker or indent, on each line. Measured: a list that begins on a line has some 11 events and
 * costs 50 µs, a line of a quote has 6 and costs 15 µs. What is inside costs no more than outside.
 */
const stepsPerMarkerEvent = 50

/** Counts one more list or quote around the rest of this line. @throws MarkdownTooComplexError if there are too many */
function countContainer({ line, offset }: Point): void {
  // the parser tries each twice at the same place: first whether one begins, then its beginning
  if (line === lastLine && offset === lastOffset) return
  depth = line === lastLine ? depth + 1 : 1
  lastLine = line
  lastOffset = offset
  if (depth > maxDepth) throw new MarkdownTooComplexError()
}

/** The steps of one more cell of a table, which becomes several tokens and a text of its own. Measured: 20 to 40 µs. */
const stepsPerCell = 200

function toCode(character: string): string {
  return String(character.charCodeAt(0))
}

const countedEffects = new WeakSet<Effects>()

function countCharacters(effects: Effects): void {
  if (countedEffects.has(effects)) return
  countedEffects.add(effects)
  const { consume, enter } = effects
  effects.consume = (code) => {
    spendSteps(1)
    consume(code)
  }
  effects.enter = (type, fields) => {
    if ((type as string) === 'tableCellDivider') spendSteps(stepsPerCell)
    return enter(type, fields)
  }
}

/** Wraps the state that the parser enters once a list or quote begins or goes on, so that it is counted. */
function countWhenEntered(context: TokenizeContext, ok: State): State {
  const start = context.now()
  const before = context.events.length
  return (code) => {
    spendSteps(stepsPerMarkerEvent * (context.events.length - before))
    countContainer(start)
    return ok(code)
  }
}

const emphasisCodes = Array.from('*_~', toCode)
const linkEndCode = toCode(']')

function findEventsPerStep(kind: string, code: string): number {
  if (kind === 'document') return eventsPerStep.container
  if (kind !== 'text') return eventsPerStep.other
  if (emphasisCodes.includes(code)) return eventsPerStep.emphasis
  return code === linkEndCode ? eventsPerStep.linkEnd : eventsPerStep.other
}

function countAttempts(construct: Construct, kind: string, code: string): Construct {
  const { tokenize, continuation } = construct
  const perStep = findEventsPerStep(kind, code)
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      countCharacters(effects)
      spendSteps(1 + this.events.length / perStep)
      // the ends of lines have negative codes
      if (kind === 'text' && !code.startsWith('-')) {
        const found: State = (next) => {
          spendSteps(this.events.length ** 2 / squareEventsPerStep)
          return ok(next)
        }
        return tokenize.call(this, effects, found, nok)
      }
      if (kind !== 'document') return tokenize.call(this, effects, ok, nok)
      return tokenize.call(this, effects, countWhenEntered(this, ok), nok)
    },
    ...(continuation && {
      continuation: {
        ...continuation,
        tokenize(effects, ok, nok) {
          spendSteps(1)
          return continuation.tokenize.call(this, effects, countWhenEntered(this, ok), nok)
        },
      },
    }),
  }
}

/** The parts of the parser's configuration that have constructs. */
const kinds = ['document', 'contentInitial', 'flowInitial', 'flow', 'string', 'text'] as const

function toCounted(constructs: FullNormalizedExtension): FullNormalizedExtension {
  const all = new Map<Construct, Construct>()
  const wrap = (construct: Construct, kind: string, code: string) => {
    const wrapped = all.get(construct) ?? countAttempts(construct, kind, code)
    // the parser tells constructs apart by identity
    all.set(construct, wrapped)
    return wrapped
  }
  const wrapped = kinds.map((kind) => [
    kind,
    Object.fromEntries(
      Object.entries(constructs[kind] ?? {}).map(([code, list]) => [
        code,
        [list as Construct | Construct[]]
          .flat()
          .filter((construct) => construct !== countingStarter)
          .map((construct) => wrap(construct, kind, code)),
      ]),
    ) as ConstructRecord,
  ])
  return { ...constructs, ...(Object.fromEntries(wrapped) as Partial<FullNormalizedExtension>) }
}

let countedConstructs: FullNormalizedExtension | undefined

/**
 * A construct that is tried first in each text. It replaces the parser's constructs by those that count their steps, and tries these, because
 * the parser has already listed the original ones for the beginning of the text.
 */
const countingStarter: Construct = {
  tokenize(effects, ok, nok) {
    this.parser.constructs = countedConstructs ??= toCounted(this.parser.constructs)
    return effects.attempt(this.parser.constructs.document, ok, nok)
  },
}

/** The characters that may begin a list, a quote or a footnote, whose constructs are tried before those of all characters. */
const containerCodes = Array.from('*+-0123456789>[', toCode)

/** The extension that counts steps. It has to be the last one of a parser, and all parsers with it need the same extensions. */
export const stepCounter: Extension = {
  document: Object.fromEntries([...containerCodes, 'null'].map((code) => [code, countingStarter])),
}
