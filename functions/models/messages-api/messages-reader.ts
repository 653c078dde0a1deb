import { parseArguments } from '../call-arguments.ts'
import type { Answer, ModelCall } from '../model.ts'
import { isRecord, toFields, toText, type Fields } from '../fields.ts'
import { toDataUrl } from '../image-data.ts'
import type { AnswerReader } from '../read-answer.ts'
import type { RoundBuilder } from '../round-builder.ts'
import { toRoundEnd } from '../round-end.ts'
import { toCallId } from './messages-request.ts'
import { toEvents } from './whole-message.ts'

/** A block of the answer. */
interface Block {
  /** its place, or how many came before */
  name: string
  /** as it goes back; text, thinking and signature grow with their deltas */
  fields: Record<string, unknown>
  /** arguments that came whole, with the block's start */
  input: string
  /** pieces of what the server's own tool was called with */
  serverInput: string
}

const isCall = ({ fields }: Block) => fields['type'] === 'tool_use'

const withoutNulls = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/**
 * Adds the events of Anthropic's Messages API to a round. Blocks come one after another, each with a start, deltas and an end.
 * @see https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export class MessagesReader implements AnswerReader {
  readonly #round: RoundBuilder
  readonly #call: ModelCall
  /** all blocks, in order */
  readonly #all: Block[] = []
  /** the blocks that have begun and not ended, by their place */
  readonly #blocks = new Map<unknown, Block>()
  #lastBlock: Block | undefined
  #messageId = ''
  isDone = false

  constructor(round: RoundBuilder, call: ModelCall) {
    this.#round = round
    this.#call = call
  }

  readWhole(answer: Fields): void {
    for (const event of toEvents(answer)) this.read(event)
  }

  /** @throws ModelError for what is more than the limits allow */
  read(event: unknown): void {
    const { type, index, message, content_block, delta, usage } = toFields(event)
    if (type === 'message_start') {
      this.#messageId = toText(toFields(message)['id'])
      this.#addUsage(toFields(toFields(message)['usage']))
    } else if (type === 'content_block_start') this.#startBlock(index, toFields(content_block))
    else if (type === 'content_block_delta') this.#addDelta(this.#findBlock(index), toFields(delta))
    else if (type === 'content_block_stop') this.#endBlock(this.#findBlock(index))
    else if (type === 'message_delta') {
      this.#addUsage(toFields(usage))
      const reason = toText(toFields(delta)['stop_reason'])
      if (reason !== '') this.#round.end = toRoundEnd(reason)
    } else if (type === 'message_stop') {
      for (const block of this.#blocks.values()) this.#endBlock(block)
      this.isDone = true
    }
  }

  /** The block at a place or, for servers that count none, the last one. */
  #findBlock(index: unknown): Block | undefined {
    return this.#blocks.get(index) ?? (typeof index === 'number' ? undefined : this.#lastBlock)
  }

  #toBlockId({ name }: Block): string {
    return `${this.#messageId}-${name}`
  }

  #addUsage(usage: Fields): void {
    this.#round.addUsage(usage)
  }

  #startBlock(index: unknown, fields: Fields): void {
    const { type, id, name, text, thinking, input, source } = fields
    const before = this.#blocks.get(index)
    // a second block at one place is another one
    if (before) this.#endBlock(before)
    const block: Block = {
      name: typeof index === 'number' ? String(index) : `block-${this.#all.length}`,
      fields: withoutNulls(fields),
      input: isRecord(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '{}',
      serverInput: '',
    }
    this.#all.push(block)
    this.#blocks.set(index, block)
    this.#lastBlock = block
    if (type === 'text') this.#round.addText(toText(text))
    else if (isCall(block))
      this.#round.addToolInput(block, {
        id: typeof id === 'string' ? toCallId(id) : id,
        name: toText(name),
      })
    else if (type === 'thinking' && toText(thinking) !== '')
      this.#round.addReasoningText(toText(thinking), this.#toBlockId(block))
    else if (type === 'redacted_thinking') this.#round.addHiddenReasoning()
    else if (type === 'server_tool_use' && name === 'web_search') this.#round.addSearch()
    else if (type === 'image') {
      const { media_type: mediaType, data: bytes, url } = toFields(source)
      this.#round.addImage(toText(bytes) === '' ? toText(url) : toDataUrl(toText(bytes), toText(mediaType)))
    }
  }

  #addDelta(block: Block | undefined, delta: Fields): void {
    const { type, text, partial_json: piece, thinking: thought, signature, citation } = delta
    const grow = (name: string, more: unknown) => {
      if (block) block.fields[name] = toText(block.fields[name]) + toText(more)
    }
    if (type === 'text_delta') {
      grow('text', text)
      this.#round.addText(toText(text))
    } else if (type === 'input_json_delta' && block) {
      if (isCall(block)) this.#round.addToolInput(block, { delta: toText(piece) })
      else block.serverInput += toText(piece)
    } else if (type === 'thinking_delta' && block?.fields['type'] === 'thinking') {
      grow('thinking', thought)
      this.#round.addReasoningText(toText(thought), this.#toBlockId(block))
    } else if (type === 'signature_delta') grow('signature', signature)
    else if (type === 'citations_delta') {
      const { citations } = block?.fields ?? {}
      if (block) block.fields['citations'] = [...(Array.isArray(citations) ? citations : []), citation]
      this.#addSource(toFields(citation))
    }
  }

  #endBlock(block: Block | undefined): void {
    if (!block) return
    for (const [index, one] of this.#blocks) if (one === block) this.#blocks.delete(index)
    // what was called without arguments has an empty object
    if (!isCall(block)) return
    const { input: args } = block
    this.#round.completeToolInput(block, { name: '', args, isDefault: args === '{}' })
  }

  /**
   * The blocks of the answer as they go back. To be called at the end of the stream.
   * @returns undefined if they are nothing but the text and the calls that the round has
   */
  listItems(): Answer['items'] | undefined {
    const calls = this.#round.endCalls()
    const answered = new Set(this.#all.map(({ fields }) => fields['tool_use_id']))
    const isPaused = this.#round.end === 'paused'
    // a search without its result is refused, unless the server goes on with it
    const isSearched = ({ fields }: Block) =>
      isPaused || fields['type'] !== 'server_tool_use' || answered.has(fields['id'])
    const blocks = this.#all.filter(isSearched).flatMap((block): Answer['items'] => {
      const item = this.#toItem(block, calls)
      return item ? [item] : []
    })
    const texts = blocks.filter(({ type }) => type === 'text')
    const isPlain =
      texts.every((block) => Object.keys(block).length === 2) &&
      blocks.every(({ type }, index) => (type === 'text' ? index === 0 : type === 'tool_use'))
    // a text of line breaks alone is said, and does not go back
    const allTexts = this.#all.map(({ fields }) => (fields['type'] === 'text' ? toText(fields['text']) : ''))
    const isWhole = allTexts.join('') === this.#round.text
    const hasAllCalls = blocks.filter(({ type }) => type === 'tool_use').length === calls.size
    return isPlain || !isWhole || !hasAllCalls ? undefined : blocks
  }

  #toItem(block: Block, calls: ReturnType<RoundBuilder['endCalls']>): Record<string, unknown> | undefined {
    const { fields, serverInput } = block
    switch (fields['type']) {
      case 'tool_use': {
        const call = calls.get(block)
        return call && { ...fields, id: call.id, name: call.name, input: parseArguments(call.arguments) }
      }
      // the server rejects an empty text, and thinking without a signature
      case 'text':
        return toText(fields['text']).trim() === '' ? undefined : fields
      case 'thinking':
        return toText(fields['signature']) === ''
          ? undefined
          : { ...fields, thinking: toText(fields['thinking']) }
      // an image is a file of the user by now
      case 'image':
        return undefined
      case 'server_tool_use':
        return serverInput === '' ? fields : { ...fields, input: parseArguments(serverInput) }
      default:
        return fields
    }
  }

  #addSource({ url, title }: Fields): void {
    if (typeof url === 'string') this.#call.onSource?.({ url, ...(typeof title === 'string' && { title }) })
  }
}
