import type { ModelCall } from '../model.ts'
import { isRecord, toFields, toText, type Fields } from '../fields.ts'
import { toArgumentsText, type RoundBuilder } from '../round-builder.ts'
import { toRoundEnd } from '../round-end.ts'
import { addFields, contentParts, type ServerFields } from './server-fields.ts'

/** A piece of a call, as the client library takes it. */
interface CallPiece {
  index?: number
  id?: string
  function: { name?: string; arguments: string }
  /** the one field of a call that the library hands on: what the server wants back with it, as JSON */
  extra_content?: { google: { thought_signature: string } }
}

/** What has come of a call that the client library has not got yet. */
interface WaitingCall {
  id: string | undefined
  name: string
  args: string
  fields: ServerFields
}

/** A chunk with nothing but what the client library is needed for, in the one form that its schema takes. */
export interface LibraryChunk {
  choices: [
    {
      delta: { content?: string; reasoning_content?: string; tool_calls?: CallPiece[] }
      finish_reason?: string
    },
  ]
}

/** Fields of a delta that are read, or that only describe it; all others go back to the server. */
const readFields = new Set(
  'role content refusal tool_calls function_call images annotations citations audio index name logprobs token_ids'.split(
    ' ',
  ),
)
const readCallFields = new Set(['index', 'id', 'type', 'function', 'name', 'arguments'])

const withoutFields = (fields: Fields, names: ReadonlySet<string>): ServerFields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !names.has(name) && value !== null && value !== ''),
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
  if (typeof base64 === 'string') return `data:image/png;base64,${base64}`
  return toText(toFields(nested)['url'] ?? nested ?? url ?? image)
}

/** A status that tells of a fault: neither absent nor 0. */
const isFault = (status: unknown) => status !== undefined && status !== null && Number(status) !== 0

/** Whether an object is an error: with `error`, or as vLLM, Mistral and FastAPI write it, MiniMax, Qianfan and Cloudflare with status 200. */
function isError(value: Fields): boolean {
  const { error, object, type, detail, choices, base_resp: status, error_code: code, success } = value
  if (isFault(toFields(status)['status_code'])) return true
  if (choices === undefined && (isFault(code) || success === false)) return true
  if (isRecord(error) ? Object.keys(error).length > 0 : typeof error === 'string' && error !== '') return true
  return (
    object === 'error' ||
    (choices === undefined && (type === 'error' || (detail !== undefined && detail !== null)))
  )
}

/** Whether two ids are known, and differ. */
const isOther = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && one !== other

/** @returns undefined if nothing is in it */
function toLibraryChunk(delta: LibraryChunk['choices'][0]['delta']): LibraryChunk | undefined {
  const filled = Object.entries(delta).filter(([, value]) => value.length > 0)
  return filled.length > 0 ? { choices: [{ delta: Object.fromEntries(filled) }] } : undefined
}

/** An error that the server put into its answer; `body` has its words, and `chunk` what came with it. */
export class ChatFailure extends Error {
  readonly body: unknown
  readonly chunk: LibraryChunk | undefined

  constructor(body: unknown, chunk?: LibraryChunk) {
    super('an error in the stream')
    this.body = body
    this.chunk = chunk
  }
}

/**
 * Reads the chunks of one answer, whatever server wrote them: what the product needs goes to the round, and the client library gets the
 * text, the reasoning and the pieces of calls in the form that it takes. Unknown fields and parts are kept or ignored.
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 */
export class ChatChunks {
  readonly #round: RoundBuilder
  readonly #call: ModelCall
  /** of the message, to be sent back */
  readonly #fields: ServerFields = {}
  /** pieces of calls whose name has not arrived, or may go on, by their place */
  readonly #waiting = new Map<number, WaitingCall>()
  readonly #named = new Set<number | undefined>()
  /** what has come of each call, by its id */
  readonly #byId = new Map<string, { index: number | undefined; name: string; args: string }>()
  #hasCalls = false
  /** reasoning that came as parts of the content */
  #thinking = ''
  /** whether the stream said that it is complete */
  isDone = false

  constructor(round: RoundBuilder, call: ModelCall) {
    this.#round = round
    this.#call = call
  }

  /** What the server wants back with this message. Mistral wants its thinking as a part of the content, where it came from. */
  get fields(): ServerFields {
    if (this.#thinking === '') return this.#fields
    const thinking = [{ type: 'text', text: this.#thinking }]
    return { ...this.#fields, [contentParts]: [{ type: 'thinking', thinking }] }
  }

  /**
   * @param value the parsed data of an event, or a whole answer
   * @param eventName of the event, if it has one
   * @returns the chunk for the client library; undefined if it has nothing for it
   * @throws ChatFailure for an error in the stream
   */
  read(value: unknown, eventName?: string): LibraryChunk | undefined {
    const sent: unknown = Array.isArray(value) ? value[0] : value
    const first = toFields(sent)
    const choices = toList(first['choices']).filter(isRecord)
    const choice: Fields = choices.find(({ index }) => index === 0) ?? choices[0] ?? {}
    const failed = [first, choice].find(isError)
    for (const usage of [toFields(first['x_groq'])['usage'], choice['usage'], first['usage']])
      this.#round.addUsage(usage)
    for (const source of toList(first['search_results'] ?? first['citations'])) this.#addSource(source)
    const delta = toFields(choice['delta'] ?? choice['message'])
    const reason = toText(choice['finish_reason'])
    const chunk = this.#readDelta(
      'text' in choice ? { ...delta, content: choice['text'] } : delta,
      reason !== '',
    )
    // after the text that may come with it
    if (failed || eventName === 'error') throw new ChatFailure(failed ?? sent, chunk)
    if (reason.toLowerCase() === 'error') throw new ChatFailure(first, chunk)
    if (reason !== '') this.#round.end = toRoundEnd(reason)
    return chunk
  }

  #readDelta(delta: Fields, isEnd: boolean): LibraryChunk | undefined {
    const { content, refusal, images, annotations, citations } = delta
    let text = ''
    let reasoning = findReasoning(delta)
    for (const part of toList(content)) {
      const { type } = toFields(part)
      if (type === 'thinking' || type === 'reasoning') {
        const thought = joinText(part)
        this.#thinking += thought
        reasoning += thought
      } else if (type === 'image_url' || type === 'image' || type === 'output_image') this.#addImage(part)
      else text += toText(isRecord(part) ? (part['text'] ?? part['refusal']) : part)
    }
    text += toText(refusal)
    for (const image of toList(images)) this.#addImage(image)
    for (const source of [...toList(annotations), ...toList(citations)]) this.#addSource(source)
    addFields(this.#fields, withoutFields(delta, readFields))
    const legacy = isRecord(delta['function_call']) && { index: 0, function: delta['function_call'] }
    const calls = [...toList(delta['tool_calls']), legacy].filter(isRecord)
    const pieces = calls.flatMap((call) => this.#readCall(call))
    return toLibraryChunk({
      content: text,
      reasoning_content: reasoning,
      tool_calls: [...pieces, ...(isEnd ? this.#takeWaiting() : [])],
    })
  }

  /** What is left at the end of the answer. */
  end(): LibraryChunk | undefined {
    return toLibraryChunk({ tool_calls: this.#takeWaiting() })
  }

  /** A piece of a call. What comes before its name waits: the library ends the answer without it. */
  #readCall(call: Fields): CallPiece[] {
    const { function: called, index: place, id: sentId } = call
    const { name, arguments: args } = { ...call, ...toFields(called) } as Fields
    const index = Number.isSafeInteger(Number(place ?? NaN)) ? Number(place) : undefined
    const id = typeof sentId === 'number' ? String(sentId) : toText(sentId).trim() || undefined
    const piece = {
      id,
      name: toText(name).trim(),
      args: toArgumentsText(args),
      fields: withoutFields(call, readCallFields),
    }
    if (id !== undefined && this.#isRepeated(id, { index, name: piece.name, args: piece.args })) return []
    if (index === undefined) {
      if (piece.name === '' && !this.#hasCalls) return []
      return [this.#toPiece(piece, undefined)]
    }
    // whoever begins another call has written the name of the one before
    const complete = this.#takeWaiting((place, known) => place !== index || isOther(known.id, id))
    const waiting = this.#waiting.get(index)
    const whole = waiting
      ? {
          id: waiting.id ?? id,
          name: this.#joinNames(waiting.name, piece.name),
          args: waiting.args + piece.args,
          fields: { ...waiting.fields, ...piece.fields },
        }
      : piece
    const isKnown = this.#named.has(index)
    const mayGoOn = whole.args === '' && this.#round.toolNames.mayContinue(whole.name)
    if (!isKnown && (whole.name === '' || mayGoOn)) {
      this.#waiting.set(index, whole)
      return complete
    }
    this.#waiting.delete(index)
    return [...complete, this.#toPiece(whole, index)]
  }

  /** A name that comes in pieces (https://github.com/continuedev/continue/pull/5849), or that is repeated in each. */
  #joinNames(before: string, next: string): string {
    const isRepeated = next === before && !this.#round.toolNames.isBeginning(before + next)
    return isRepeated ? before : before + next
  }

  /** Calls that wait and have a name. */
  #takeWaiting(isTaken: (index: number, call: WaitingCall) => boolean = () => true): CallPiece[] {
    const taken = [...this.#waiting].filter(([index, call]) => call.name !== '' && isTaken(index, call))
    for (const [index] of taken) this.#waiting.delete(index)
    return taken.map(([index, call]) => this.#toPiece(call, index))
  }

  #toPiece({ id, name, args, fields }: WaitingCall, index: number | undefined): CallPiece {
    this.#hasCalls = true
    this.#named.add(index)
    return {
      ...(index !== undefined && { index }),
      ...(id !== undefined && { id }),
      function: { ...(name !== '' && { name }), arguments: args },
      ...(Object.keys(fields).length > 0 && {
        extra_content: { google: { thought_signature: JSON.stringify(fields) } },
      }),
    }
  }

  /** Whether a call comes again at another place, with all that it had: a server's mistake, which must not be made twice. */
  #isRepeated(id: string, piece: { index: number | undefined; name: string; args: string }): boolean {
    const known = this.#byId.get(id)
    if (!known) this.#byId.set(id, piece)
    else if (known.index === piece.index) known.args += piece.args
    else return piece.args !== '' && known.name === piece.name && known.args === piece.args
    return false
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
    const url = toImageUrl(image)
    if (url !== '') this.#call.onImage?.(url)
  }
}
