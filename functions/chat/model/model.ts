import OpenAI, { APIError } from 'openai'
import type {
  ChatCompletionChunk,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import { duringInit } from '../../platform/during-init.ts'
import { faults, ModelFault, modelFault } from './model-errors.ts'
import { endWatcher } from './done-detector.ts'
import { withoutToolMessages } from './tool-messages.ts'
import { watchedFetch } from './instrumented-fetch.ts'

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

/** What a request leaves out because the server rejected it. */
export type Omission = 'tools' | 'images'

interface ModelCall {
  messages: ModelMessage[]
  tools: ModelTool[]
  signal: AbortSignal
  onText: (delta: string) => void
  /** called before the request is sent again without something that the server rejected */
  onOmit: (omission: Omission) => void
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

/** Of one answer: what a reply stores of its calls has to fit into one row. */
const maxCallsOfAnswer = 128

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
      if (this.#calls.size >= maxCallsOfAnswer && !this.#calls.has(part.index))
        throw new ModelFault(faults.unreadable, `more than ${maxCallsOfAnswer} calls of tools`)
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

/** What the server says it does not take. */
type Rejection = 'reasoning' | Omission

/** @returns undefined when the server rejected something that the call does not have, or failed otherwise */
function findRejection({ tools, messages }: ModelCall, error: unknown): Rejection | undefined {
  const cause = error instanceof ModelFault ? error.cause : undefined
  if (!(cause instanceof APIError) || ![400, 404, 422].includes(Number(cause.status))) return undefined
  const text = cause.message.toLowerCase()
  if (tools.length > 0 && (cause.param === 'reasoning_effort' || text.includes('reasoning_effort')))
    return 'reasoning'
  const hasTools = tools.length > 0 || messages.some(({ role }) => role === 'tool')
  if (hasTools && /\b(tools?|functions?)\b|tool_/.test(text)) return 'tools'
  const hasImages = messages.some(({ content }) => Array.isArray(content))
  if (hasImages && /image|vision|multimodal|content.{0,40}(string|type)/.test(text)) return 'images'
  return undefined
}

/** The call without what was rejected. */
function omit(call: ModelCall, omission: Omission): ModelCall {
  return omission === 'tools'
    ? { ...call, tools: [], messages: withoutToolMessages(call.messages) }
    : { ...call, messages: call.messages.map(withoutPictures) }
}

const noPictures = '[The pictures could not be shown: this model sees none.]'

function withoutPictures(message: ModelMessage): ModelMessage {
  if (message.role !== 'user' || typeof message.content === 'string') return message
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { ...message, content: [...texts, noPictures].join('\n\n') }
}

/** The client library's own default. */
const openAi = 'https://api.openai.com/v1'

/** Opens a connection, which the first request then finds open: that is two or three round trips to the server. */
const connectTo = (baseUrl = openAi) =>
  fetch(baseUrl, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(5_000) })

/**
 * The language model behind any OpenAI-compatible server (INFRA-12).
 * @param readKey gives the API key when it is needed; an empty one means that the server wants none
 */
export function openModel(settings: {
  baseUrl: string | undefined
  model: string
  readKey: () => Promise<string>
}): Model {
  // Models that reason by default take function tools over Chat Completions only with this effort. GPT-5.6 and later reject
  // the tools even when the request names no effort; servers that know no effort reject the parameter. So it is sent once
  // the server has asked for it, and the answer is remembered for the requests that follow.
  // https://github.com/BerriAI/litellm/pull/34569 (2026-07-24), https://github.com/openai/openai-openapi/issues/541
  let toolsNeedNoReasoning = false
  duringInit(() => Promise.all([settings.readKey(), connectTo(settings.baseUrl)]))

  /** One request. @throws ModelFault, or the reason of the aborted signal */
  async function ask(
    { messages, tools, signal, onText }: ModelCall,
    withoutReasoning: boolean,
  ): Promise<ModelRound> {
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
          ...(tools.length > 0 && withoutReasoning && { reasoning_effort: 'none' }),
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
      let current = call
      // once without reasoning, once without tools, once without images
      for (let attempt = 0; ; attempt += 1) {
        // of this request: another reply may learn meanwhile what the server wants
        const withoutReasoning = toolsNeedNoReasoning
        try {
          return await ask(current, withoutReasoning)
        } catch (error) {
          const found = attempt < 3 ? findRejection(current, error) : undefined
          if (!found) throw error
          if (found === 'reasoning' && !withoutReasoning) {
            toolsNeedNoReasoning = true
            continue
          }
          // a server that rejects tools with any effort takes none
          const omission = found === 'reasoning' ? 'tools' : found
          // earlier calls of tools are told in words then, and nothing is missing
          if (omission !== 'tools' || current.tools.length > 0) call.onOmit(omission)
          current = omit(current, omission)
        }
      }
    },
  }
}
