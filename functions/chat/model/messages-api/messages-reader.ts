import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import type { ModelCall } from '../model.ts'
import { type RoundBuilder, toText, toTokenCount } from '../round-builder.ts'

type Fields = Readonly<Record<string, unknown>>

/** A part of an event; the client library does not validate what arrives. */
const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

/**
 * Adds the events of Anthropic's Messages API to a round. Blocks come one after another, each with a start, deltas and an end.
 * @see https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export class MessagesReader {
  readonly #round: RoundBuilder
  readonly #call: ModelCall
  readonly #model: string
  /** thinking that its signature completes; stored at the end of the block */
  readonly #thinkingBlocks = new Map<number, { type: 'thinking'; thinking: string; signature: string }>()
  /** numbers of tokens by name: each event has the total so far */
  readonly #usage = new Map<string, number>()
  /** indexes of the blocks that are calls */
  readonly #callBlocks = new Set<number>()
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
    const at = Number(index)
    if (type === 'message_start') {
      this.#messageId = toText(toFields(message)['id'])
      this.#addUsage(toFields(toFields(message)['usage']))
    } else if (type === 'content_block_start') this.#startBlock(at, toFields(content_block))
    else if (type === 'content_block_delta') this.#addDelta(at, toFields(delta))
    else if (type === 'content_block_stop') this.#endBlock(at)
    else if (type === 'message_delta') {
      this.#addUsage(toFields(usage))
      this.#setEnd(toFields(delta)['stop_reason'])
    } else if (type === 'message_stop') this.isDone = true
  }

  #setEnd(reason: unknown): void {
    if (typeof reason !== 'string') return
    const isCut = reason === 'max_tokens' || reason === 'model_context_window_exceeded'
    this.#round.end = isCut ? 'length' : reason === 'refusal' ? 'filtered' : 'done'
  }

  #addUsage(usage: Fields): void {
    const counts = { ...usage, thinking_tokens: toFields(usage['output_tokens_details'])['thinking_tokens'] }
    for (const [name, count] of Object.entries(counts))
      if (typeof count === 'number') this.#usage.set(name, toTokenCount(count))
    const read = (name: string) => this.#usage.get(name) ?? 0
    const cached = read('cache_read_input_tokens')
    const written = read('cache_creation_input_tokens')
    const thinking = read('thinking_tokens')
    this.#round.usage = {
      // the API counts what was read from the cache, or written to it, beside the rest
      inputTokens: read('input_tokens') + cached + written,
      outputTokens: read('output_tokens'),
      cachedInputTokens: cached,
      ...(written > 0 && { cacheWriteTokens: written }),
      ...(thinking > 0 && { reasoningTokens: thinking }),
    }
  }

  #startBlock(index: number, block: Fields): void {
    if (block['type'] === 'text') this.#round.addText(toText(block['text']))
    else if (block['type'] === 'tool_use') {
      this.#callBlocks.add(index)
      this.#round.addToolInput(index, { id: block['id'], name: toText(block['name']) })
    } else if (block['type'] === 'thinking')
      this.#thinkingBlocks.set(index, {
        type: 'thinking',
        thinking: toText(block['thinking']),
        signature: toText(block['signature']),
      })
    else if (block['type'] === 'redacted_thinking')
      this.#addReasoning(index, { type: 'redacted_thinking', data: toText(block['data']) })
  }

  #addDelta(index: number, delta: Fields): void {
    const thinking = this.#thinkingBlocks.get(index)
    if (delta['type'] === 'text_delta') this.#round.addText(toText(delta['text']))
    else if (delta['type'] === 'input_json_delta' && this.#callBlocks.has(index))
      this.#round.addToolInput(index, { delta: toText(delta['partial_json']) })
    else if (delta['type'] === 'thinking_delta' && thinking) {
      const text = toText(delta['thinking'])
      thinking.thinking += text
      this.#round.addReasoningText(text, `${this.#messageId}-${index}`)
    } else if (delta['type'] === 'signature_delta' && thinking)
      thinking.signature += toText(delta['signature'])
    else if (delta['type'] === 'citations_delta') this.#addSource(toFields(delta['citation']))
  }

  #endBlock(index: number): void {
    const thinking = this.#thinkingBlocks.get(index)
    // what was called without arguments has an empty object
    if (this.#callBlocks.has(index)) this.#round.completeToolInput(index, { name: '', args: '{}' })
    // the server rejects thinking without a signature
    if (thinking && thinking.signature !== '') this.#addReasoning(index, thinking)
  }

  #addReasoning(index: number, item: Record<string, unknown>): void {
    this.#round.addReasoning(String(index), { api: 'messages', model: this.#model, item })
  }

  #addSource({ url, title }: Fields): void {
    if (typeof url === 'string') this.#call.onSource?.({ url, ...(typeof title === 'string' && { title }) })
  }
}
