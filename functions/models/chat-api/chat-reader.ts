import { isRecord, toFields, toText, type Fields } from '../fields.ts'
import { toDataUrl } from '../image-data.ts'
import type { ModelError } from '../model-errors.ts'
import type { Answer, ModelCall } from '../model.ts'
import type { AnswerReader } from '../read-answer.ts'
import { rejectionError } from '../request-errors.ts'
import type { RoundBuilder } from '../round-builder.ts'
import { isFault, toRoundEnd } from '../round-end.ts'
import { isRejection, readRejection } from '../server-rejection.ts'
import { ChatCalls } from './chat-calls.ts'
import { toChatCall, toContent } from './chat-messages.ts'
import { NewText } from './new-text.ts'
import { addFields, withoutFields, type ServerFields } from './server-fields.ts'

/** Fields of a delta that are read, or that only describe it; all others go back to the server. */
const readFields = new Set(
  'role content refusal tool_calls function_call images annotations citations audio index name logprobs token_ids'.split(
    ' ',
  ),
)
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** Text of a part, or of parts of parts: Mistral's thinking is a list of texts. */
function joinText(value: unknown): string {
  if (Array.isArray(value)) return value.map(joinText).join('')
  if (!isRecord(value)) return toText(value)
  return joinText(value['text'] ?? value['thinking'] ?? value['reasoning'] ?? value['summary'])
}

/** Readable reasoning, by whatever name: DeepSeek and older vLLM, Ollama and newer vLLM, GitHub Copilot, OpenRouter. */
function findReasoning(delta: Fields): string {
  for (const name of ['reasoning_content', 'reasoning', 'reasoning_text']) {
    const text = toText(delta[name])
    if (text !== '') return text
  }
  return toList(delta['reasoning_details'])
    .map((one) => joinText({ text: toFields(one)['text'] ?? toFields(one)['summary'] }))
    .join('')
}

const toImageUrl = (image: unknown): string => {
  const { image_url: nested, url, b64_json: base64 } = toFields(image)
  if (typeof base64 === 'string') return toDataUrl(base64, 'image/png')
  return toText(toFields(nested)['url'] ?? nested ?? url ?? image)
}

/**
 * Reads the chunks of one answer, whatever server wrote them, or a whole answer. Unknown fields go back to the server, unknown parts are
 * ignored.
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 */
export class ChatReader implements AnswerReader {
  readonly #round: RoundBuilder
  readonly #call: ModelCall
  readonly #calls: ChatCalls
  /** of the message, to be sent back */
  readonly #fields: ServerFields = {}
  /** reasoning that came as parts of the content */
  #thinking = ''
  readonly #newText = new NewText()
  readonly #newReasoning = new NewText()

  constructor(round: RoundBuilder, call: ModelCall) {
    this.#round = round
    this.#call = call
    this.#calls = new ChatCalls(round)
  }

  /** @throws ModelError for an error within a choice */
  read(value: unknown): void {
    const chunk = toFields(Array.isArray(value) ? value[0] : value)
    const choices = toList(chunk['choices']).filter(isRecord)
    const choice: Fields = choices.find(({ index }) => index === 0) ?? choices[0] ?? {}
    for (const usage of [toFields(chunk['x_groq'])['usage'], choice['usage'], chunk['usage']])
      this.#round.addUsage(usage)
    for (const source of toList(chunk['search_results'] ?? chunk['citations'])) this.#addSource(source)
    const delta = toFields(choice['delta'] ?? choice['message'])
    this.#readDelta('text' in choice ? { ...delta, content: choice['text'] } : delta)
    const reason = toText(choice['finish_reason'])
    if (isRejection(choice)) throw this.#toError(choice)
    if (reason.toLowerCase() === 'error') throw this.#toError(chunk)
    if (reason === '') return
    this.#calls.end()
    // OpenRouter calls some faults of its providers a stop: https://github.com/OleksandrChekhovskyi/hax/pull/15
    const native = toRoundEnd(toText(choice['native_finish_reason']))
    if (!isRejection(chunk)) this.#round.end = isFault(native) ? native : toRoundEnd(reason)
  }

  readWhole(answer: Fields): void {
    this.read(answer)
  }

  end(): void {
    this.#calls.end()
  }

  /** The message with the fields that its server wants back. Mistral wants its thinking as a part of the content, where it came from. */
  listItems(): Answer['items'] | undefined {
    const { text } = this.#round
    const callFields = this.#calls.fields
    if (this.#thinking === '' && Object.keys(this.#fields).length === 0 && callFields.size === 0)
      return undefined
    const calls = [...this.#round.endCalls()]
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: this.#thinking }] }
    return [
      {
        ...this.#fields,
        role: 'assistant',
        content:
          this.#thinking === ''
            ? toContent(text)
            : [thinking, ...(text === '' ? [] : [{ type: 'text', text }])],
        ...(calls.length > 0 && {
          tool_calls: calls.map(([key, call]) => ({ ...callFields.get(key), ...toChatCall(call) })),
        }),
      },
    ]
  }

  #toError(rejection: Fields): ModelError {
    return rejectionError(readRejection(rejection, { status: undefined }), this.#round.hasStarted)
  }

  #readDelta(delta: Fields): void {
    const { content, refusal, images, annotations, citations } = delta
    let text = ''
    let reasoning = findReasoning(delta)
    for (const part of toList(content)) {
      const { type } = toFields(part)
      if (type === 'thinking' || type === 'reasoning') {
        const thinking = joinText(part)
        this.#thinking += thinking
        reasoning += thinking
      } else if (type === 'image_url' || type === 'image' || type === 'output_image') this.#addImage(part)
      else text += toText(isRecord(part) ? (part['text'] ?? part['refusal']) : part)
    }
    text += toText(refusal)
    for (const image of toList(images)) this.#addImage(image)
    for (const source of [...toList(annotations), ...toList(citations)]) this.#addSource(source)
    addFields(this.#fields, withoutFields(delta, readFields))
    const thought = this.#newReasoning.take(reasoning)
    if (thought !== '') this.#round.addReasoningText(thought, 'reasoning')
    const written = this.#newText.take(text)
    if (written !== '') this.#round.addText(written)
    this.#calls.addAll(toList(delta['tool_calls']))
    const { function_call: legacy } = delta
    if (isRecord(legacy)) this.#calls.add({ index: 0, function: legacy })
  }

  /** A page: as OpenAI and OpenRouter cite it, as Perplexity and xAI do, or its address alone. */
  #addSource(source: unknown): void {
    const fields = toFields(source)
    const { url, title } = toFields(fields['url_citation'] ?? fields)
    const address = toText(url) || toText(source)
    if (address === '') return
    // who cites pages has searched at least once, even if the usage names no search
    if (this.#round.searches === 0) this.#round.addSearch()
    this.#call.onSource?.({ url: address, ...(toText(title) !== '' && { title: toText(title) }) })
  }

  #addImage(image: unknown): void {
    this.#round.addImage(toImageUrl(image))
  }
}
