import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import type { ModelCall } from '../model.ts'
import { isRecord, toFields, toText, type Fields } from '../fields.ts'
import { type RoundBuilder } from '../round-builder.ts'
import { toRoundEnd } from '../round-end.ts'

/** A block of the answer. */
interface Block {
  /** its place, or how many came before */
  name: string
  isCall: boolean
  /** arguments that came whole, with the block's start */
  input: string
  /** thinking that its signature completes; stored at the end of the block */
  thinking: { type: 'thinking'; thinking: string; signature: string } | undefined
}

/**
 * Adds the events of Anthropic's Messages API to a round. Blocks come one after another, each with a start, deltas and an end.
 * @see https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export class MessagesReader {
  readonly #round: RoundBuilder
  readonly #call: ModelCall
  readonly #model: string
  /** the blocks that have begun and not ended, by their place */
  readonly #blocks = new Map<unknown, Block>()
  #lastBlock: Block | undefined
  #blockCount = 0
  #messageId = ''
  isDone = false

  constructor(round: RoundBuilder, call: ModelCall, model: string) {
    this.#round = round
    this.#call = call
    this.#model = model
  }

  /** @throws ModelError when the event cannot be read or exceeds a limit */
  add(event: RawMessageStreamEvent): void {
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

  #addUsage(usage: Fields): void {
    this.#round.addUsage(usage)
  }

  #startBlock(index: unknown, fields: Fields): void {
    const { type, id, name, text, input, thinking, signature, data, source } = fields
    const before = this.#blocks.get(index)
    // a second block at one place is another one
    if (before) this.#endBlock(before)
    const block: Block = {
      name: typeof index === 'number' ? String(index) : `block-${this.#blockCount}`,
      isCall: type === 'tool_use',
      input: isRecord(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '{}',
      thinking:
        type === 'thinking' ? { type, thinking: toText(thinking), signature: toText(signature) } : undefined,
    }
    this.#blockCount += 1
    this.#blocks.set(index, block)
    this.#lastBlock = block
    if (type === 'text') this.#round.addText(toText(text))
    else if (block.isCall) this.#round.addToolInput(block, { id, name: toText(name) })
    else if (type === 'redacted_thinking')
      this.#addReasoning(block, { type: 'redacted_thinking', data: toText(data) })
    else if (type === 'server_tool_use' && name === 'web_search') this.#round.addSearch()
    else if (type === 'image') {
      const { media_type: mediaType, data: bytes, url } = toFields(source)
      const image = toText(bytes) === '' ? toText(url) : `data:${toText(mediaType)};base64,${toText(bytes)}`
      if (image !== '') this.#call.onImage?.(image)
    }
  }

  #addDelta(block: Block | undefined, delta: Fields): void {
    const { type, text, partial_json: piece, thinking: thought, signature, citation } = delta
    if (type === 'text_delta') this.#round.addText(toText(text))
    else if (type === 'input_json_delta' && block?.isCall)
      this.#round.addToolInput(block, { delta: toText(piece) })
    else if (type === 'thinking_delta' && block?.thinking) {
      block.thinking.thinking += toText(thought)
      this.#round.addReasoningText(toText(thought), `${this.#messageId}-${block.name}`)
    } else if (type === 'signature_delta' && block?.thinking) block.thinking.signature += toText(signature)
    else if (type === 'citations_delta') this.#addSource(toFields(citation))
  }

  #endBlock(block: Block | undefined): void {
    if (!block) return
    for (const [index, one] of this.#blocks) if (one === block) this.#blocks.delete(index)
    // what was called without arguments has an empty object
    if (block.isCall) this.#round.completeToolInput(block, { name: '', args: block.input })
    // the server rejects thinking without a signature
    if (block.thinking && block.thinking.signature !== '') this.#addReasoning(block, block.thinking)
  }

  #addReasoning({ name }: Block, item: Record<string, unknown>): void {
    this.#round.addReasoning(name, { api: 'messages', model: this.#model, item })
  }

  #addSource({ url, title }: Fields): void {
    if (typeof url === 'string') this.#call.onSource?.({ url, ...(typeof title === 'string' && { title }) })
  }
}
