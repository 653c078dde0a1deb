import { parseJson } from '#shared/parse-json.ts'
import { isRecord, toFields, toText, type Fields } from '../fields.ts'
import { newCallId, toArgumentsText, type RoundBuilder } from '../round-builder.ts'
import { withoutFields, type ServerFields } from './server-fields.ts'

/** A piece of a call, as one chunk has it. */
interface CallPiece {
  id: string | undefined
  index: number | undefined
  name: string
  args: string
  fields: ServerFields
}

interface OpenCall extends CallPiece {
  /** all that it has been called by: some servers send another id with each piece */
  ids: Set<string>
  /** whether the round has it: its name is complete */
  isBegun: boolean
  /** its place among the pieces of the chunk that it began with */
  place: number
}

const readFields = new Set(['index', 'id', 'type', 'function', 'name', 'arguments'])

function readPiece(call: Fields): CallPiece {
  const { function: called, index, id } = call
  const { name, arguments: args } = { ...call, ...toFields(called) } as Fields
  return {
    id: typeof id === 'number' ? String(id) : toText(id).trim() || undefined,
    index: Number.isSafeInteger(Number(index ?? NaN)) ? Number(index) : undefined,
    name: toText(name).trim(),
    args: toArgumentsText(args),
    fields: withoutFields(call, readFields),
  }
}

/** Whether a piece has the beginning of a call: its name, and arguments from their first character on. */
const isBeginning = ({ name, args }: CallPiece) => name !== '' && /^\s*[{[]/.test(args)
const isComplete = ({ args }: OpenCall) => {
  const value = parseJson(args)
  return typeof value === 'object' && value !== null
}

/**
 * Puts the pieces of an answer's calls together, which no two servers cut alike, and passes them on to the round. `deviations.test.ts` has
 * the ways that were seen.
 */
export class ChatCalls {
  readonly #round: RoundBuilder
  readonly #calls: OpenCall[] = []

  constructor(round: RoundBuilder) {
    this.#round = round
  }

  /** @param sent the pieces of calls in one chunk, as the server wrote them */
  addAll(sent: readonly unknown[]): void {
    const pieces = sent.flatMap((one) => (isRecord(one) ? [readPiece(one)] : []))
    for (const [place, piece] of pieces.entries())
      this.#add(piece, { place, sibling: pieces.length > 1 ? this.#findAtPlace(piece, place) : undefined })
  }

  /** @param sent a piece of a call, as the server wrote it */
  add(sent: unknown): void {
    this.addAll([sent])
  }

  /** @param sibling the call that it goes on with because of its place in the chunk */
  #add(piece: CallPiece, { place, sibling }: { place: number; sibling: OpenCall | undefined }): void {
    if (this.#isRepeated(piece)) return
    const moved = this.#findMoved(piece)
    const misplaced = moved ? undefined : this.#findMisplaced(piece)
    const known = moved ?? misplaced ?? sibling ?? this.#find(piece)
    // nobody knows what it is a piece of
    if (!known && piece.id === undefined && piece.index === undefined && piece.name === '') return
    // whoever begins another call has written the name of the one before
    for (const call of this.#calls) if (call !== known) this.#begin(call)
    const call = known ?? { ...piece, name: '', args: '', fields: {}, ids: new Set(), isBegun: false, place }
    if (!known) this.#calls.push(call)
    if (piece.id !== undefined) call.ids.add(piece.id)
    call.id ??= piece.id
    call.index = moved || misplaced ? piece.index : (call.index ?? piece.index)
    const args = moved ? piece.args.slice(moved.args.length) : piece.args
    call.args += args
    call.fields = { ...call.fields, ...piece.fields }
    if (call.isBegun) return this.#round.addToolInput(call, { delta: args })
    call.name = this.#joinNames(call.name, piece.name)
    const mayGoOn =
      piece.index !== undefined && call.args === '' && this.#round.toolNames.mayContinue(call.name)
    if (!mayGoOn) this.#begin(call)
  }

  /** The names of the calls that have waited for more are complete. */
  end(): void {
    for (const call of this.#calls) this.#begin(call)
  }

  /** What the server wants back with each call, by its key in the round. */
  get fields(): ReadonlyMap<unknown, ServerFields> {
    return new Map(
      this.#calls.flatMap((call) => (Object.keys(call.fields).length > 0 ? [[call, call.fields]] : [])),
    )
  }

  #begin(call: OpenCall): void {
    if (call.isBegun || call.name === '') return
    call.isBegun = true
    this.#round.addToolInput(call, { id: call.id ?? newCallId(), name: call.name, delta: call.args })
  }

  /** Whether a whole call comes again at another place: a server's mistake, which must not be made twice. */
  #isRepeated({ id, index, name, args }: CallPiece): boolean {
    return (
      id !== undefined &&
      args !== '' &&
      this.#calls.some(
        (call) => call.ids.has(id) && call.index !== index && call.name === name && call.args === args,
      )
    )
  }

  /** The call that begins again, with more of its arguments, at another place: https://github.com/mudler/LocalAI/issues/9722. */
  #findMoved({ id, index, name, args }: CallPiece): OpenCall | undefined {
    if (id === undefined || args === '') return undefined
    return this.#calls.find(
      (call) =>
        call.ids.has(id) &&
        call.index !== index &&
        call.name === name &&
        args.startsWith(call.args) &&
        !isComplete(call),
    )
  }

  /**
   * The last call, if it has no arguments and these can be of no other: they have neither id nor name, and there is no call at their place,
   * or one that is complete. https://github.com/danny-avila/LibreChat/issues/13987
   */
  #findMisplaced({ id, index, name, args }: CallPiece): OpenCall | undefined {
    const last = this.#calls.at(-1)
    if (id !== undefined || name !== '' || index === undefined || args.trim() === '') return undefined
    if (!last || last.name === '' || last.args !== '' || last.index === index) return undefined
    const here = this.#calls.filter((call) => call.index === index)
    return here.every(isComplete) ? last : undefined
  }

  /**
   * The last call that began at this place of a chunk, if pieces and call can be told apart by nothing else:
   * https://github.com/SamSaffron/term-llm/pull/314
   */
  #findAtPlace({ id, index, name }: CallPiece, place: number): OpenCall | undefined {
    if (id !== undefined || index !== undefined || name !== '') return undefined
    return this.#calls.findLast((call) => call.index === undefined && call.place === place)
  }

  /** The call that began without an index, and gets it only with further arguments: the one that it counts, or the only one. */
  #findUncounted({ id, index, name }: CallPiece): OpenCall | undefined {
    if (id !== undefined || index === undefined || name !== '') return undefined
    const open = this.#calls.filter((call) => call.index === undefined && !isComplete(call))
    const counted = this.#calls[index]
    return counted && open.includes(counted) ? counted : open.length === 1 ? open[0] : undefined
  }

  /**
   * The call that a piece goes on with: the one with its id, else at its place, else the last one.
   * @returns undefined if it begins another one
   */
  #find(piece: CallPiece): OpenCall | undefined {
    const { id, index, name } = piece
    const withId = id === undefined ? [] : this.#calls.filter(({ ids }) => ids.has(id))
    const here = index === undefined ? [] : this.#calls.filter((call) => call.index === index)
    if (withId.length > 0) {
      const both = index === undefined ? withId : withId.filter((call) => here.includes(call))
      return both.length > 0 || name !== '' ? this.#pick(both, piece) : withId.at(-1)
    }
    if (here.length > 0) return this.#pick(here, piece)
    const last = this.#calls.at(-1)
    // two calls began at one place, and the second goes on at its own: https://github.com/agno-agi/agno/issues/8879
    const isMoved = this.#calls.some((call) => call !== last && call.index === last?.index)
    const isLast = id === undefined && name === '' && (index === undefined || isMoved)
    return isLast ? last : this.#findUncounted(piece)
  }

  /** The last of some calls that a piece can go on with. */
  #pick(calls: readonly OpenCall[], piece: CallPiece): OpenCall | undefined {
    const { id, name, args } = piece
    const call = calls.findLast(({ name: known, isBegun }) => !isBegun || name === '' || name === known)
    if (!call) return undefined
    const isOther = id !== undefined && call.ids.size > 0 && !call.ids.has(id)
    // a name that waits has no arguments yet, so a further name with another id is another call
    if (!call.isBegun && isOther && name !== '' && call.name !== '') return undefined
    const isNew = isBeginning(piece) || (isOther && name !== '' && args.trim() === '')
    return isNew && isComplete(call) ? undefined : call
  }

  /** A name that comes in pieces (https://github.com/continuedev/continue/pull/5849), or that is repeated in each. */
  #joinNames(before: string, next: string): string {
    const isRepeated = next === before && !this.#round.toolNames.isBeginning(before + next)
    return isRepeated ? before : before + next
  }
}
