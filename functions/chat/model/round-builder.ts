import { parseJson } from '#shared/parse-json.ts'
import { modelErrors, ModelError } from './model-errors.ts'
import type { Answer, ModelCall, ModelRound, ModelToolCall } from './model.ts'
import { checkCallLimits, maxAnswerCharacters } from './stream-limits.ts'
import { ThinkTags } from './think-tags.ts'
import { ToolNames } from './tool-names.ts'

/**
 * How an answer ended: complete, at the model's limit of length, stopped by the server's content filter, or for a reason that is not
 * known, which does not count as complete.
 */
export type RoundEnd = 'done' | 'length' | 'filtered' | 'unknown'

type Usage = Pick<
  ModelRound,
  'inputTokens' | 'outputTokens' | 'cachedInputTokens' | 'cacheWriteTokens' | 'reasoningTokens'
>

/** More than any request can use. */
const maxTokenCount = 100_000_000

/** A number of tokens as a server names it; undefined for what cannot be one. Everything that is stored or priced passes here. */
export const readTokenCount = (value: unknown): number | undefined =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxTokenCount ? Number(value) : undefined

/** As `readTokenCount`, for counts without which others still count. */
export const toTokenCount = (value: unknown): number => readTokenCount(value) ?? 0

/** More than any server makes for one answer. */
const maxSearchCount = 1_000

/**
 * The searches of the web that a server names in its usage; undefined if it names none that can be.
 * Anthropic and OpenRouter: server_tool_use; LiteLLM: prompt_tokens_details; Perplexity: num_search_queries; xAI: calls of its tools or, for
 * its live search, pages that were read (num_sources_used), which it bills.
 */
export function readSearches(usage: Fields): number | undefined {
  const tools = toFields(usage['server_side_tool_usage_details'])
  const counts = [
    toFields(usage['server_tool_use'])['web_search_requests'],
    toFields(usage['prompt_tokens_details'])['web_search_requests'],
    usage['num_search_queries'],
    usage['num_sources_used'],
    tools['web_search_calls'],
    tools['x_search_calls'],
  ].flatMap((count) => readTokenCount(count) ?? [])
  const most = Math.max(...counts)
  return counts.length > 0 && most <= maxSearchCount ? most : undefined
}

/** Absent, null and what is no text are one thing: the client libraries do not validate what arrives. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

export type Fields = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A part of what a server sent; empty if it is missing or no object. */
export const toFields = (value: unknown): Fields => (isRecord(value) ? value : {})

/** A piece of a call's arguments. Some servers send an object in place of its JSON: https://github.com/ggml-org/llama.cpp/issues/20198. */
export const toArgumentsText = (value: unknown): string =>
  isRecord(value) ? JSON.stringify(value) : toText(value)

/** Builds one answer from its events, whatever the API, and passes them on as they arrive. */
export class RoundBuilder {
  text = ''
  /** undefined until the server says how the answer ended */
  end: RoundEnd | undefined
  usage: Usage = { inputTokens: 0, outputTokens: 0 }
  /** searches of the web by the server */
  searches = 0
  /** those of them that it bills, where it says so */
  billedSearches: number | undefined
  readonly #call: ModelCall
  readonly #calls = new Map<unknown, WrittenCall>()
  /** ids of the calls of earlier answers in this request */
  readonly #usedIds: ReadonlySet<string>
  readonly #thinkTags: ThinkTags
  readonly toolNames: ToolNames
  #argumentCharacters = 0
  #hasReasoned = false

  constructor(call: ModelCall) {
    this.#call = call
    const last = call.messages.findLast(({ role }) => role !== 'tool')
    this.#usedIds = new Set(
      call.messages.flatMap((message) =>
        message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
      ),
    )
    this.toolNames = new ToolNames(call.tools)
    const mayGoOn = last?.role === 'assistant' && last.isThinking === true
    const callbacks = {
      onText: (delta: string) => {
        this.text += delta
        call.onText(delta)
      },
      onReasoning: (delta: string) => this.addReasoningText(delta, 'think'),
      onTextWasReasoning: () => {
        this.#hasReasoned = true
        this.text = ''
        call.onTextWasReasoning?.()
      },
    }
    this.#thinkTags = new ThinkTags(callbacks, mayGoOn)
  }

  /** Whether some of the answer has arrived, be it reasoning alone. */
  get hasStarted(): boolean {
    return this.text !== '' || this.#calls.size > 0 || this.#hasReasoned
  }

  addText(delta: string): void {
    this.#thinkTags.add(delta)
  }

  addReasoningText(delta: string, blockId: string): void {
    this.#hasReasoned = true
    if (delta !== '') this.#call.onReasoning?.(delta, blockId)
  }

  addSearch(): void {
    this.searches += 1
    this.#call.onWebSearch?.()
  }

  /**
   * Adds a piece of a call. The first id and name count, arguments are put together.
   * @param key tells the calls of the answer apart
   */
  addToolInput(
    key: unknown,
    { id, name = '', delta = '' }: { id?: unknown; name?: string; delta?: string },
  ): void {
    const known = this.#calls.get(key)
    checkCallLimits(this.#calls.size + (known ? 0 : 1), this.#argumentCharacters + delta.length)
    const call = known ?? { id: '', sentId: '', name: '', arguments: '' }
    this.#calls.set(key, call)
    if (call.sentId === '' && typeof id === 'string' && id !== '') this.#setId(call, id)
    const wasNamed = call.name !== ''
    if (call.name === '') call.name = this.toolNames.resolve(name)
    call.arguments += delta
    this.#argumentCharacters += delta.length
    if (call.id === '' || call.name === '') return
    if (!wasNamed) this.#call.onToolInput?.({ id: call.id, name: call.name, delta: '' })
    if (delta !== '') this.#call.onToolInput?.({ id: call.id, name: call.name, delta })
  }

  /**
   * Models that number their calls anew in each answer (Kimi, llama.cpp) repeat ids of earlier ones, and servers want each id once in a
   * request. What another call of this answer has is decided at its end.
   */
  #setId(call: WrittenCall, id: string): void {
    const isRepeated = [...this.#calls.values()].some((other) => other.sentId === id)
    call.sentId = id
    if (!isRepeated) call.id = this.#usedIds.has(id) ? newCallId() : id
  }

  /** Adds the arguments that the server repeats at the end of a call, if it has sent none in pieces. */
  completeToolInput(key: unknown, { id, name, args }: { id?: unknown; name: string; args: string }) {
    const known = this.#calls.get(key)
    if (!known) this.addToolInput(key, { id, name, delta: args })
    else if (known.arguments === '') this.addToolInput(key, { delta: args })
  }

  /** Reasoning that nobody can read has arrived. */
  addHiddenReasoning(): void {
    this.#hasReasoned = true
  }

  /**
   * The calls of the answer by the keys of their pieces, each with an id that no other has: decisions of users and results of tools are
   * matched by it. A call that the server repeats with all it has is one call, so that nothing is done twice.
   */
  endCalls(): ReadonlyMap<unknown, ModelToolCall> {
    const ended = new Map<unknown, ModelToolCall>()
    const known = new Set<string>()
    for (const [key, call] of this.#calls) {
      const { sentId, name } = call
      if (name.trim() === '') continue
      const args = toArguments(call.arguments)
      const whole = JSON.stringify([sentId, name, args])
      if (sentId !== '' && known.has(whole)) continue
      known.add(whole)
      // the same whenever it is asked for
      if (call.id === '') call.id = newCallId()
      ended.set(key, { id: call.id, name, arguments: args })
    }
    return ended
  }

  /**
   * @param isDone whether the stream said so itself: some servers give no reason for the end
   * @param toAnswer builds the answer as the server gave it; if it is too long, its text and calls are sent back
   * @throws ModelError when the answer ended before its end, or the content filter left nothing of it
   */
  build(isDone: boolean, toAnswer?: () => Answer | undefined): ModelRound {
    const toolCalls = [...this.endCalls().values()]
    const isThinking = this.#thinkTags.end(toolCalls.length > 0)
    const isEmpty = this.text === '' && toolCalls.length === 0
    if (this.end === undefined && (!isDone || isEmpty))
      throw new ModelError(
        this.hasStarted ? modelErrors.cut : modelErrors.empty,
        'the stream ended without a reason',
      )
    if (this.end === 'filtered' && isEmpty) throw new ModelError(modelErrors.filtered, 'content filter')
    const webSearches = this.billedSearches ?? this.searches
    const answer = toAnswer?.()
    return {
      text: this.text,
      toolCalls,
      truncated: this.end !== undefined && this.end !== 'done',
      ...(this.end === 'length' && { incompleteReason: 'length' }),
      ...(this.end === 'filtered' && { incompleteReason: 'filter' }),
      ...this.usage,
      ...(webSearches > 0 && { webSearches }),
      ...(answer && JSON.stringify(answer.items).length <= maxAnswerCharacters && { answer }),
      ...(isThinking && { isThinking }),
    }
  }
}

/** A call while it is written. */
interface WrittenCall extends ModelToolCall {
  /** as the server wrote it */
  sentId: string
}

const newCallId = () => `call_${crypto.randomUUID()}`

/** Whether a text is the JSON of an object. */
export const isObject = (text: string): boolean => isRecord(parseJson(text))

/**
 * Arguments as the JSON of an object, if they are one in another form: none, null, an object's JSON within a string
 * (https://github.com/vllm-project/vllm/pull/54964), or twice, where a server sends the whole call again. Others stay as they are, and the
 * call fails with them.
 */
function toArguments(text: string): string {
  if (text.trim() === '' || text.trim() === 'null') return '{}'
  const half = text.slice(0, text.length / 2)
  if (text.trimStart().startsWith('{'))
    return text === half + half && !isObject(text) && isObject(half) ? half : text
  const inner = parseJson(text)
  return typeof inner === 'string' && isObject(inner) ? inner : text
}
