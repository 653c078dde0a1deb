import type { ResponseStreamEvent, ResponseUsage } from 'openai/resources/responses/responses'
import { rejectionError } from '../model-errors.ts'
import type { ModelCall, ReasoningItem } from '../model.ts'
import { toText, toTokenCount, type RoundBuilder, type RoundEnd } from '../round-builder.ts'

type Item = Record<string, unknown>

const isRecord = (value: unknown): value is Item => typeof value === 'object' && value !== null

const isFilled = (value: unknown) => (typeof value === 'string' || Array.isArray(value)) && value.length > 0

/** Without what servers send in an item and reject in a request. */
function toReasoningInput({ id, summary, content, encrypted_content }: Item): Item | undefined {
  // without its content the server would look the item up by its id, and nothing is stored there
  if (!isFilled(encrypted_content) && !isFilled(content)) return undefined
  return {
    type: 'reasoning',
    id: toText(id, 'id'),
    summary: Array.isArray(summary) ? summary : [],
    ...(isFilled(content) && { content }),
    ...(isFilled(encrypted_content) && { encrypted_content }),
  }
}

function addUsage(round: RoundBuilder, usage: Partial<ResponseUsage> | null | undefined): void {
  if (!isRecord(usage)) return
  const cached = toTokenCount(usage.input_tokens_details?.cached_tokens)
  const written = toTokenCount(
    (usage.input_tokens_details as { cache_write_tokens?: unknown } | undefined)?.cache_write_tokens,
  )
  const reasoning = toTokenCount(usage.output_tokens_details?.reasoning_tokens)
  round.usage = {
    inputTokens: toTokenCount(usage.input_tokens),
    outputTokens: toTokenCount(usage.output_tokens),
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(written > 0 && { cacheWriteTokens: written }),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
  }
}

/** Reads the events of one response into a round. Events and items of unknown types are ignored. */
export class ResponseReader {
  readonly #round: RoundBuilder
  readonly #call: ModelCall
  readonly #model: string
  /** items by their place in the output */
  readonly #items = new Map<number, { callId?: string; reasoning?: Item }>()

  constructor(round: RoundBuilder, call: ModelCall, model: string) {
    this.#round = round
    this.#call = call
    this.#model = model
  }

  /** @throws ModelError for a failed response, for what cannot be read or is more than the limits allow */
  add(event: ResponseStreamEvent): void {
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return this.#round.addText(toText(event.delta, 'text'))
      case 'response.reasoning_summary_text.delta':
        return this.#addReasoningText(event.delta, `${event.item_id}:${event.summary_index}`)
      case 'response.reasoning_text.delta':
        return this.#addReasoningText(event.delta, `${event.item_id}:${event.content_index}`)
      case 'response.function_call_arguments.delta':
        return this.#round.addToolInput(event.output_index, { delta: toText(event.delta, 'arguments') })
      case 'response.output_item.added':
        return this.#addItem(event.output_index, event.item, false)
      case 'response.output_item.done':
        return this.#addItem(event.output_index, event.item, true)
      case 'response.output_text.annotation.added':
        return this.#addAnnotation(event.annotation)
      case 'response.completed':
        return this.#end(event.response, 'done')
      case 'response.incomplete': {
        const filtered = event.response?.incomplete_details?.reason === 'content_filter'
        return this.#end(event.response, filtered ? 'filtered' : 'length')
      }
      case 'response.failed': {
        const error: unknown = event.response?.error
        const { message, code } = isRecord(error) ? error : {}
        throw rejectionError(
          {
            status: undefined,
            message: toText(message, 'message'),
            code: typeof code === 'string' ? code : '',
            param: '',
          },
          this.#round.hasStarted,
        )
      }
      default:
    }
  }

  /** Hands the reasoning over, each item with the call that it stands before. To be called at the end of the stream. */
  addReasoning(): void {
    const items = [...this.#items.entries()].toSorted(([a], [b]) => a - b).map(([, item]) => item)
    for (const [index, { reasoning }] of items.entries()) {
      if (!reasoning) continue
      const next = items.slice(index + 1).find((item) => item.reasoning === undefined)
      const item: ReasoningItem = { api: 'responses', model: this.#model, item: reasoning }
      this.#round.addReasoning(
        toText(reasoning['id'], 'id') || String(index),
        next?.callId ? { ...item, beforeCall: next.callId } : item,
      )
    }
  }

  #addReasoningText(delta: unknown, blockId: string): void {
    this.#round.addReasoningText(toText(delta, 'reasoning'), blockId)
  }

  #addItem(index: number, item: unknown, isDone: boolean): void {
    if (!isRecord(item)) return
    if (item['type'] === 'function_call') {
      const [id, name] = [item['call_id'], toText(item['name'], 'name')]
      const args = toText(item['arguments'], 'arguments')
      if (isDone) this.#round.completeToolInput(index, { id, name, args })
      else this.#round.addToolInput(index, { id, name })
      this.#items.set(index, typeof id === 'string' ? { callId: id } : {})
    } else if (item['type'] === 'reasoning') {
      this.#round.addReasoningText('', toText(item['id'], 'id'))
      const reasoning = isDone ? toReasoningInput(item) : undefined
      if (reasoning) this.#items.set(index, { reasoning })
    } else this.#items.set(index, {})
  }

  #addAnnotation(annotation: unknown): void {
    if (!isRecord(annotation) || annotation['type'] !== 'url_citation') return
    const { url, title } = annotation
    if (typeof url !== 'string' || url === '') return
    this.#call.onSource?.({ url, ...(typeof title === 'string' && title !== '' && { title }) })
  }

  #addWholePart({ text, refusal, annotations }: Item): void {
    this.#round.addText(toText(text ?? refusal, 'text'))
    for (const annotation of Array.isArray(annotations) ? (annotations as unknown[]) : [])
      this.#addAnnotation(annotation)
  }

  /** Some servers send the encrypted reasoning, or everything, with the last event only. */
  #end(response: unknown, end: RoundEnd): void {
    this.#round.end = end
    if (!isRecord(response)) return
    addUsage(this.#round, response['usage'] as ResponseUsage | undefined)
    const output: unknown[] = Array.isArray(response['output']) ? response['output'] : []
    const hadText = this.#round.text !== ''
    for (const [index, item] of output.entries()) {
      this.#addItem(index, item, true)
      if (!hadText && isRecord(item) && item['type'] === 'message' && Array.isArray(item['content']))
        for (const part of item['content'] as unknown[]) if (isRecord(part)) this.#addWholePart(part)
    }
  }
}
