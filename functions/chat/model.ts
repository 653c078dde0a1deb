import OpenAI, { APIError } from 'openai'
import type {
  ChatCompletionChunk,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import { faults, ModelFault, modelFault } from './model-faults.ts'
import { endWatcher } from './stream-end.ts'
import { watchedFetch } from './watched-fetch.ts'

export type ModelMessage = ChatCompletionMessageParam
export type ModelTool = ChatCompletionFunctionTool

export interface ModelToolCall {
  id: string
  name: string
  /** JSON as the model wrote it, unchecked */
  arguments: string
}

/** One answer of the model: text, and the tools it wants called before it goes on. */
export interface ModelRound {
  text: string
  toolCalls: ModelToolCall[]
  /** the model ran into its own limit of length */
  truncated: boolean
  inputTokens: number
  outputTokens: number
}

interface ModelCall {
  messages: ModelMessage[]
  tools: ModelTool[]
  signal: AbortSignal
  onText: (delta: string) => void
}

export interface Model {
  /** @throws ModelFault; or, after an abort of the signal, its reason */
  complete(call: ModelCall): Promise<ModelRound>
}

/** Without a byte for this long the model counts as failed. */
const silenceMs = 45_000
/** Of one answer: ten times what the longest comes to, with a token to an event. */
const maxAnswerBytes = 64 * 1024 * 1024
/** Of one event, which is held until its line ends. */
const maxLineBytes = 48 * 1024 * 1024
/** What tools are called with, all calls of an answer together. */
const maxArgumentCharacters = 1_000_000

/** Calls `onSilence` when nothing was heard for the time; `hear` starts it anew. */
function silenceTimer(onSilence: () => void) {
  let timer = setTimeout(onSilence, silenceMs)
  return {
    hear: () => {
      clearTimeout(timer)
      timer = setTimeout(onSilence, silenceMs)
    },
    end: () => clearTimeout(timer),
  }
}

/** Ends an answer without an end, or with a line that has none, before it fills the memory. @throws ModelFault from `hear` */
function sizeWatcher() {
  let size = 0
  let line = 0
  return {
    hear: (bytes: Uint8Array) => {
      size += bytes.length
      const end = bytes.lastIndexOf(10)
      line = end === -1 ? line + bytes.length : bytes.length - end - 1
      if (size > maxAnswerBytes || line > maxLineBytes)
        throw new ModelFault(faults.unreadable, `an answer of ${size} bytes, its last line ${line}`)
    },
  }
}

/** A number of tokens; servers send what they like. */
const countOf = (value: unknown) => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0)

/** Each call with an id that no other has: answers of people and of tools are found by it. */
function withOwnIds(calls: readonly ModelToolCall[]): ModelToolCall[] {
  const taken = new Set([''])
  return calls.map((call) => {
    const id = taken.has(call.id) ? `call_${crypto.randomUUID()}` : call.id
    taken.add(id)
    return { ...call, id }
  })
}

/** Collects what the chunks of one answer add up to. */
class RoundBuilder {
  text = ''
  finish: string | null = null
  inputTokens = 0
  outputTokens = 0
  readonly #calls = new Map<number, ModelToolCall>()
  #argumentCharacters = 0

  /** @throws ModelFault when the text is none, for the client library checks no shapes, or arguments are without an end */
  add(chunk: ChatCompletionChunk): string {
    if (chunk.usage) {
      this.inputTokens = countOf(chunk.usage.prompt_tokens)
      this.outputTokens = countOf(chunk.usage.completion_tokens)
    }
    const choice = chunk.choices?.[0]
    if (!choice) return ''
    this.finish = choice.finish_reason ?? this.finish
    for (const part of choice.delta?.tool_calls ?? []) {
      const call = this.#calls.get(part.index) ?? { id: '', name: '', arguments: '' }
      if (call.id === '' && typeof part.id === 'string') call.id = part.id
      call.name += part.function?.name ?? ''
      const more = part.function?.arguments ?? ''
      this.#argumentCharacters += more.length
      if (this.#argumentCharacters > maxArgumentCharacters)
        throw new ModelFault(faults.unreadable, `more than ${maxArgumentCharacters} characters of arguments`)
      call.arguments += more
      this.#calls.set(part.index, call)
    }
    const delta: unknown = choice.delta?.content ?? ''
    if (typeof delta !== 'string') throw new ModelFault(faults.unreadable, `content as ${typeof delta}`)
    this.text += delta
    return delta
  }

  /**
   * @param isDone whether the stream said so itself: some servers give no reason for the end
   * @throws ModelFault when the answer ended before its end
   */
  build(isDone: boolean): ModelRound {
    const toolCalls = withOwnIds([...this.#calls.values()].filter(({ name }) => name !== ''))
    const isWhole = isDone && (this.text !== '' || toolCalls.length > 0)
    if (this.finish === null && !isWhole)
      throw new ModelFault(this.text === '' ? faults.empty : faults.cut, 'the stream ended without a reason')
    return {
      text: this.text,
      toolCalls,
      truncated: this.finish === 'length',
      inputTokens: this.inputTokens,
      outputTokens: this.outputTokens,
    }
  }
}

/** The call without what the server says it does not take: tools, or pictures; undefined when it refused something else. */
function withoutRefused(call: ModelCall, error: unknown): ModelCall | undefined {
  const cause = error instanceof ModelFault ? error.cause : undefined
  if (!(cause instanceof APIError) || ![400, 404, 422].includes(Number(cause.status))) return undefined
  const refused = cause.message.toLowerCase()
  if (call.tools.length > 0 && /\b(tools?|functions?)\b|tool_/.test(refused)) return { ...call, tools: [] }
  const pictures = call.messages.some(({ content }) => Array.isArray(content))
  if (pictures && /image|vision|multimodal|content.{0,40}(string|type)/.test(refused))
    return { ...call, messages: call.messages.map(withoutPictures) }
  return undefined
}

const noPictures = '[The pictures could not be shown: this model sees none.]'

function withoutPictures(message: ModelMessage): ModelMessage {
  if (message.role !== 'user' || typeof message.content === 'string') return message
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { ...message, content: [...texts, noPictures].join('\n\n') }
}

/**
 * The language model behind any OpenAI-compatible server (INFRA-12).
 * @param readKey gives the API key when it is needed; an empty one means that the server wants none
 */
export function openModel(settings: {
  baseUrl: string | undefined
  model: string
  readKey: () => Promise<string>
}): Model {
  /** One request. @throws ModelFault, or the reason of the aborted signal */
  async function ask({ messages, tools, signal, onText }: ModelCall): Promise<ModelRound> {
    const silence = new AbortController()
    const timer = silenceTimer(() =>
      silence.abort(new ModelFault(faults.silent, `no byte for ${silenceMs} ms`)),
    )
    const end = endWatcher()
    const limit = sizeWatcher()
    const client = new OpenAI({
      apiKey: async () => (await settings.readKey()) || 'none',
      baseURL: settings.baseUrl ?? null,
      maxRetries: 1,
      // its own log would show what the model wrote
      logLevel: 'off',
      fetch: watchedFetch((bytes) => {
        timer.hear()
        limit.hear(bytes)
        end.hear(bytes)
      }),
    })
    const round = new RoundBuilder()
    try {
      const stream = await client.chat.completions.create(
        {
          model: settings.model,
          messages,
          stream: true,
          stream_options: { include_usage: true },
          ...(tools.length > 0 && { tools }),
        },
        { signal: AbortSignal.any([signal, silence.signal]) },
      )
      for await (const chunk of stream) {
        const delta = round.add(chunk)
        if (delta !== '') onText(delta)
      }
      // the client library ends an aborted stream as if it were over
      signal.throwIfAborted()
      silence.signal.throwIfAborted()
      return round.build(end.isDone())
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (silence.signal.aborted) throw silence.signal.reason
      throw modelFault(error, round.text !== '')
    } finally {
      timer.end()
    }
  }

  return {
    async complete(call) {
      try {
        return await ask(call)
      } catch (error) {
        const simpler = withoutRefused(call, error)
        if (!simpler) throw error
        return ask(simpler)
      }
    },
  }
}
