import OpenAI, { APIError } from 'openai'
import type { ChatCompletionChunk, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { duringInit } from '../../platform/during-init.ts'
import { modelErrors, ModelError, toModelError } from './model-errors.ts'
import type {
  Model,
  ModelCall,
  ModelMessage,
  ModelRound,
  ModelSettings,
  ModelToolCall,
  Omission,
} from './model.ts'
import { omitImages } from './omit-images.ts'
import { withoutToolMessages } from './tool-messages.ts'
import { doneDetector, instrumentedFetch } from './instrumented-fetch.ts'

/** Without a byte for this long the model counts as failed. */
const idleTimeoutMs = 45_000
/** Of one answer: ten times what the longest comes to, with a token to an event. */
const maxResponseBytes = 64 * 1024 * 1024
/** Of one event, which is held until its line ends. */
const maxLineBytes = 48 * 1024 * 1024
/** What tools are called with, all calls of an answer together. */
const maxArgumentCharacters = 1_000_000

/** Of one answer: what a reply stores of its calls has to fit into one row. */
const maxCallsPerResponse = 128

/** Calls `onSilence` when nothing was heard for the time; `hear` starts it anew. */
function idleTimer(onIdle: () => void) {
  let timer = setTimeout(onIdle, idleTimeoutMs)
  return {
    onBytes: () => {
      clearTimeout(timer)
      timer = setTimeout(onIdle, idleTimeoutMs)
    },
    end: () => clearTimeout(timer),
  }
}

/** Ends an answer without an end, or with a line that has none, before it fills the memory. @throws ModelError from `hear` */
function sizeLimiter() {
  let size = 0
  let line = 0
  return {
    onBytes: (bytes: Uint8Array) => {
      size += bytes.length
      const end = bytes.lastIndexOf(10)
      line = end === -1 ? line + bytes.length : bytes.length - end - 1
      if (size > maxResponseBytes || line > maxLineBytes)
        throw new ModelError(modelErrors.unreadable, `an answer of ${size} bytes, its last line ${line}`)
    },
  }
}

/** A number of tokens; servers send what they like. */
const toTokenCount = (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0

/** Each call with an id that no other has: answers of people and of tools are found by it. */
function withUniqueIds(calls: readonly ModelToolCall[]): ModelToolCall[] {
  const usedIds = new Set([''])
  return calls.map((call) => {
    const id = usedIds.has(call.id) ? `call_${crypto.randomUUID()}` : call.id
    usedIds.add(id)
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

  /** @throws ModelError when `content` is not a string (the SDK does not validate it) or the arguments exceed the limit */
  add(chunk: ChatCompletionChunk): string {
    if (chunk.usage) {
      this.inputTokens = toTokenCount(chunk.usage.prompt_tokens)
      this.outputTokens = toTokenCount(chunk.usage.completion_tokens)
    }
    const choice = chunk.choices?.[0]
    if (!choice) return ''
    this.finish = choice.finish_reason ?? this.finish
    for (const part of choice.delta?.tool_calls ?? []) {
      const call = this.#calls.get(part.index) ?? { id: '', name: '', arguments: '' }
      if (this.#calls.size >= maxCallsPerResponse && !this.#calls.has(part.index))
        throw new ModelError(modelErrors.unreadable, `more than ${maxCallsPerResponse} calls of tools`)
      if (call.id === '' && typeof part.id === 'string') call.id = part.id
      call.name += part.function?.name ?? ''
      const more = part.function?.arguments ?? ''
      this.#argumentCharacters += more.length
      if (this.#argumentCharacters > maxArgumentCharacters)
        throw new ModelError(
          modelErrors.unreadable,
          `more than ${maxArgumentCharacters} characters of arguments`,
        )
      call.arguments += more
      this.#calls.set(part.index, call)
    }
    const delta: unknown = choice.delta?.content ?? ''
    if (typeof delta !== 'string') throw new ModelError(modelErrors.unreadable, `content as ${typeof delta}`)
    this.text += delta
    return delta
  }

  /**
   * @param isDone whether the stream said so itself: some servers give no reason for the end
   * @throws ModelError when the answer ended before its end
   */
  build(isDone: boolean): ModelRound {
    const toolCalls = withUniqueIds([...this.#calls.values()].filter(({ name }) => name !== ''))
    const isWhole = isDone && (this.text !== '' || toolCalls.length > 0)
    if (this.finish === null && !isWhole)
      throw new ModelError(
        this.text === '' ? modelErrors.empty : modelErrors.cut,
        'the stream ended without a reason',
      )
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
  const cause = error instanceof ModelError ? error.cause : undefined
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
    : { ...call, messages: call.messages.map(omitImages) }
}

/** Without what only other APIs take. */
function toChatMessage(message: ModelMessage): ChatCompletionMessageParam {
  if (message.role !== 'assistant') return message
  const { reasoning: _, ...rest } = message
  return rest
}

/** The client library's own default. */
const openAi = 'https://api.openai.com/v1'

/** Opens a connection, which the first request then finds open: that is two or three round trips to the server. */
const connectTo = (baseUrl = openAi) =>
  fetch(baseUrl, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(5_000) })

/** A language model behind any server that speaks Chat Completions. */
export function openChatCompletionsModel(settings: ModelSettings): Model {
  // Models that reason by default take function tools over Chat Completions only with this effort. GPT-5.6 and later reject
  // the tools even when the request names no effort; servers that know no effort reject the parameter. So it is sent once
  // the server has asked for it, and the answer is remembered for the requests that follow.
  // https://github.com/BerriAI/litellm/pull/34569 (2026-07-24), https://github.com/openai/openai-openapi/issues/541
  let toolsNeedNoReasoning = false
  duringInit(() => Promise.all([settings.readKey(), connectTo(settings.baseUrl)]))

  /** One request. @throws ModelError, or the reason of the aborted signal */
  async function request(
    { messages, tools, signal, onText }: ModelCall,
    withoutReasoning: boolean,
  ): Promise<ModelRound> {
    const idle = new AbortController()
    const timer = idleTimer(() =>
      idle.abort(new ModelError(modelErrors.silent, `no byte for ${idleTimeoutMs} ms`)),
    )
    const end = doneDetector()
    const limit = sizeLimiter()
    const client = new OpenAI({
      apiKey: async () => (await settings.readKey()) || 'none',
      baseURL: settings.baseUrl ?? null,
      maxRetries: 1,
      // its own log would show what the model wrote
      logLevel: 'off',
      fetch: instrumentedFetch((bytes) => {
        timer.onBytes()
        limit.onBytes(bytes)
        end.onBytes(bytes)
      }),
    })
    const round = new RoundBuilder()
    try {
      const stream = await client.chat.completions.create(
        {
          model: settings.model,
          messages: messages.map(toChatMessage),
          stream: true,
          stream_options: { include_usage: true },
          ...(tools.length > 0 && { tools }),
          ...(tools.length > 0 && withoutReasoning && { reasoning_effort: 'none' }),
        },
        { signal: AbortSignal.any([signal, idle.signal]) },
      )
      for await (const chunk of stream) {
        const delta = round.add(chunk)
        if (delta !== '') onText(delta)
      }
      // the client library ends an aborted stream as if it were over
      signal.throwIfAborted()
      idle.signal.throwIfAborted()
      return round.build(end.isDone())
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (idle.signal.aborted) throw idle.signal.reason
      throw toModelError(error, round.text !== '')
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
          return await request(current, withoutReasoning)
        } catch (error) {
          const found = attempt < 3 ? findRejection(current, error) : undefined
          if (!found) throw error
          if (found === 'reasoning' && !withoutReasoning) {
            toolsNeedNoReasoning = true
            continue
          }
          // a server that rejects tools with any effort takes none
          const omission = found === 'reasoning' ? 'tools' : found
          // earlier tool calls are then described in words, so nothing is missing
          if (omission !== 'tools' || current.tools.length > 0) call.onOmit(omission)
          current = omit(current, omission)
        }
      }
    },
  }
}
