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

/** Lists and quotes around a line. Texts have a few. */
const maxDepth = 16
/**
 * A construct may look at, or move, all events before it. So many of them cost as much as a step (some 100 ns; measured): emphasis is
 * matched with all emphasis before it, the end of a link looks for its beginning, and others only move what was found.
 */
const eventsPerStep = { emphasis: 2, linkEnd: 16, container: 64, other: 1_024 }

/** The text costs more work than its length is worth, or is nested deeper than anybody reads. */
export class TooComplex extends Error {}

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
    // what is nested in itself may be too much for the stack before it is too much for the limit
    if (error instanceof TooComplex || error instanceof RangeError) return undefined
    throw error
  } finally {
    totalSteps += maxSteps - stepsLeft
  }
}

/** The steps of all parses since the page was loaded. */
export const countAllSteps = (): number => totalSteps

function countSteps(steps: number): void {
  stepsLeft -= steps
  if (stepsLeft < 0) throw new TooComplex()
}

/** What a list or quote finds is sorted once more, into its items. */
const stepsPerContainerEvent = 50

/** Counts one more list or quote around what follows on this line. */
function countContainer({ line, offset }: Point): void {
  // the parser looks whether one begins, and then lets it begin
  if (line === lastLine && offset === lastOffset) return
  depth = line === lastLine ? depth + 1 : 1
  lastLine = line
  lastOffset = offset
  if (depth > maxDepth) throw new TooComplex()
}

function toCode(character: string): string {
  return String(character.charCodeAt(0))
}

const countedEffects = new WeakSet<Effects>()

function countCharacters(effects: Effects): void {
  if (countedEffects.has(effects)) return
  countedEffects.add(effects)
  const { consume } = effects
  effects.consume = (code) => {
    countSteps(1)
    consume(code)
  }
}

/** Counts a list or quote that goes on, or begins, once it is known that it does. */
function whenInContainer(context: TokenizeContext, ok: State): State {
  const start = context.now()
  const before = context.events.length
  return (code) => {
    countSteps(stepsPerContainerEvent * (context.events.length - before))
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
      countSteps(1 + this.events.length / perStep)
      if (kind !== 'document') return tokenize.call(this, effects, ok, nok)
      return tokenize.call(this, effects, whenInContainer(this, ok), nok)
    },
    ...(continuation && {
      continuation: {
        ...continuation,
        tokenize(effects, ok, nok) {
          countSteps(1)
          return continuation.tokenize.call(this, effects, whenInContainer(this, ok), nok)
        },
      },
    }),
  }
}

/** What a parser tries where, and what else its extensions define. */
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
          .filter((construct) => construct !== beginning)
          .map((construct) => wrap(construct, kind, code)),
      ]),
    ) as ConstructRecord,
  ])
  return { ...constructs, ...(Object.fromEntries(wrapped) as Partial<FullNormalizedExtension>) }
}

let countedConstructs: FullNormalizedExtension | undefined

/** Is tried before everything else of a text, where it matches nothing, but lets the parser count its own steps from there on. */
const beginning: Construct = {
  tokenize(_effects, _ok, nok) {
    this.parser.constructs = countedConstructs ??= toCounted(this.parser.constructs)
    return nok
  },
}

/** The characters that may begin a list, a quote or a footnote: constructs of a character are tried before the others. */
const containerCodes = Array.from('*+-0123456789>[', toCode)

/** Has to be the last extension of a parser; all parsers with it have the same extensions. */
export const stepCounter: Extension = {
  document: Object.fromEntries([...containerCodes, 'null'].map((code) => [code, beginning])),
}
