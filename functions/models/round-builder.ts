import { parseJson } from '#shared/parse-json.ts'
import { modelErrors, ModelError } from './model-errors.ts'
import type { Answer, ModelCall, ModelRound, ModelToolCall } from './model.ts'
import { isRecord, toFields, toText } from './fields.ts'
import type { RoundEnd } from './round-end.ts'
import { checkCallLimits, maxAnswerCharacters } from './stream-limits.ts'
import { TextImages } from './text-images.ts'
import { cutEndMarks, TextMarks } from './text-marks.ts'
import { ThinkTags } from './think-tags.ts'
import { readSearches, TokenCounts, type TokenUsage } from './token-counts.ts'
import { ToolNames } from './tool-names.ts'
import { repairJson } from './repair-json.ts'
import { readWrittenCalls, type WrittenCall } from './written-calls.ts'

/** A piece of a call's arguments. Some servers send an object in place of its JSON: https://github.com/ggml-org/llama.cpp/issues/20198. */
export const toArgumentsText = (value: unknown): string =>
  isRecord(value) ? JSON.stringify(value) : toText(value)

/** Of reasoning, in which a call may be. */
const maxReasoningCharacters = 200_000

/** Builds one answer from its events, whatever the API, and passes them on as they arrive. */
export class RoundBuilder {
  text = ''
  /** undefined until the server says how the answer ended */
  end: RoundEnd | undefined
  /** searches of the web by the server */
  searches = 0
  /** those of them that it bills, where it says so */
  billedSearches: number | undefined
  readonly #call: ModelCall
  readonly #calls = new Map<unknown, OpenCall>()
  /** ids of the calls of earlier answers in this request */
  readonly #usedIds: ReadonlySet<string>
  readonly #tokens = new TokenCounts()
  readonly #marks: TextMarks
  readonly #thinkTags: ThinkTags
  readonly #images: TextImages
  readonly toolNames: ToolNames
  #argumentCharacters = 0
  #hasReasoned = false
  #reasoning = ''
  /** the blocks of reasoning with a word, and the blanks of those without one */
  readonly #reasoningBlocks = new Set<string>()
  readonly #blanks = new Map<string, string>()
  readonly #shownImages = new Set<string>()

  constructor(call: ModelCall) {
    this.#call = call
    const last = call.messages.findLast(({ role }) => role !== 'tool')
    this.#usedIds = new Set(
      call.messages.flatMap((message) =>
        message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
      ),
    )
    this.toolNames = new ToolNames(call.tools)
    this.#marks = new TextMarks({
      onText: (delta) => this.#thinkTags.add(delta),
      onThoughtEnd: () => this.#thinkTags.endThought(),
      onReasoning: (delta) => this.addReasoningText(delta, 'think'),
      onCalls: (calls) => this.#addWrittenCalls(calls),
    })
    const mayGoOn = last?.role === 'assistant' && last.isThinking === true
    const callbacks = {
      onText: (delta: string) => this.#images.add(delta),
      onReasoning: (delta: string) => this.addReasoningText(delta, 'think'),
      onTextWasReasoning: () => {
        this.#hasReasoned = true
        this.#images.forget()
        this.text = ''
        call.onTextWasReasoning?.()
      },
    }
    this.#thinkTags = new ThinkTags(callbacks, mayGoOn)
    this.#images = new TextImages({
      onText: (delta) => {
        this.text += delta
        call.onText(delta)
      },
      onImage: (url) => this.addImage(url),
    })
  }

  /** Whether some of the answer has arrived, be it reasoning alone. */
  get hasStarted(): boolean {
    return this.text !== '' || this.#calls.size > 0 || this.#hasReasoned
  }

  get usage(): TokenUsage {
    return this.#tokens.usage
  }

  /** Adds what the server says about tokens, in whatever form. */
  addUsage(usage: unknown): void {
    this.#tokens.add(usage)
    this.billedSearches = readSearches(toFields(usage)) ?? this.billedSearches
  }

  addText(delta: string): void {
    this.#marks.add(delta)
  }

  /** @returns false if one is no call of an offered tool */
  #addWrittenCalls(calls: readonly WrittenCall[]): boolean {
    if (!calls.every(({ name }) => this.toolNames.isOffered(name))) return false
    for (const { name, arguments: delta, open } of calls) {
      const key = {}
      this.addToolInput(key, { id: newCallId(), name, delta })
      const call = this.#calls.get(key)
      if (call && open) call.open = open
    }
    return true
  }

  /**
   * Adds a piece of reasoning. The blanks that a block begins with wait for its first word: models that do not reason write an empty thought
   * (https://github.com/UKGovernmentBEIS/inspect_ai/pull/1744).
   */
  addReasoningText(delta: string, blockId: string): void {
    this.#hasReasoned = true
    if (this.#reasoning.length < maxReasoningCharacters) this.#reasoning += delta
    const blanks = this.#blanks.get(blockId) ?? ''
    const text = blanks + delta
    if (text.trim() === '' && (blanks !== '' || !this.#reasoningBlocks.has(blockId))) {
      this.#blanks.set(blockId, text)
      return
    }
    this.#blanks.delete(blockId)
    this.#reasoningBlocks.add(blockId)
    if (text !== '') this.#call.onReasoning?.(text, blockId)
  }

  /** Passes on an image that the model made, once: servers repeat it at the end, or in another field. */
  addImage(url: string): void {
    if (url === '' || this.#shownImages.has(url)) return
    this.#shownImages.add(url)
    this.#call.onImage?.(url)
  }

  /**
   * Models may call tools in the middle of a thought, where their server does not look for calls
   * (https://github.com/vllm-project/vllm/issues/39056). They count if there is nothing else.
   */
  #addThoughtCalls(): void {
    const marks = new TextMarks({
      onText: () => undefined,
      onThoughtEnd: () => undefined,
      onReasoning: () => undefined,
      onCalls: (calls) => this.#addWrittenCalls(calls),
    })
    marks.add(this.#reasoning)
    marks.end()
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
    if (call.name === '') {
      call.name = this.toolNames.resolve(name)
      call.inName = readWrittenArguments(name)
    }
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
  #setId(call: OpenCall, id: string): void {
    const isRepeated = [...this.#calls.values()].some((other) => other.sentId === id)
    call.sentId = id
    if (!isRepeated) call.id = this.#usedIds.has(id) ? newCallId() : id
  }

  /**
   * Adds the arguments that the server repeats at the end of a call, if it has sent none in pieces.
   * @param isDefault the server has written none: these stand for a call without arguments
   */
  completeToolInput(
    key: unknown,
    { id, name, args, isDefault }: { id?: unknown; name: string; args: string; isDefault?: boolean },
  ) {
    const known = this.#calls.get(key)
    if (known && known.arguments !== '') return
    this.addToolInput(key, known ? { delta: args } : { id, name, delta: args })
    const call = this.#calls.get(key)
    if (call && isDefault) call.isUnwritten = true
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
      const written = toArguments(call.arguments)
      const args = written === '{}' ? (call.inName ?? written) : written
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
   * Marks the last call of an answer that ended early, if it ended in its arguments or before them: a call without any would run with
   * nothing of what the model meant (https://github.com/NousResearch/hermes-agent/pull/81017), one without the last of them with a part
   * (https://github.com/jundot/omlx/issues/3153). A value that has not ended is a part, whatever the answer ended with.
   */
  #markCutCall(calls: ReadonlyMap<unknown, ModelToolCall>): void {
    const [key, last] = [...calls].at(-1) ?? []
    const { arguments: written = '', inName, isUnwritten, open } = this.#calls.get(key) ?? {}
    const cutBy = (this.end && cuts[this.end]) ?? (open === 'value' ? 'fault' : undefined)
    if (!cutBy || !last) return
    const isUnbegun = (written.trim() === '' && inName === undefined) || isUnwritten === true
    if (isUnbegun || open !== undefined || parseJson(last.arguments) === undefined) last.cutBy = cutBy
  }

  /**
   * @param isDone whether the stream said so itself: some servers give no reason for the end
   * @param toAnswer builds the answer as the server gave it; if it is too long, its text and calls are sent back
   * @throws ModelError when the answer ended before its end, or the content filter left nothing of it
   */
  build(isDone: boolean, toAnswer?: () => Answer | undefined): ModelRound {
    this.#marks.end()
    const isWhole = this.end === undefined ? isDone : this.end === 'done'
    if (isWhole && this.text === '' && this.#calls.size === 0) this.#addThoughtCalls()
    const ended = this.endCalls()
    const toolCalls = [...ended.values()]
    this.#markCutCall(ended)
    const isThinking = this.#thinkTags.end(toolCalls.length > 0)
    this.#images.end()
    const isEmpty = this.text === '' && toolCalls.length === 0
    if (this.end === undefined && (!isDone || isEmpty))
      throw new ModelError(
        this.hasStarted ? modelErrors.cut : modelErrors.empty,
        'the stream ended without a reason',
      )
    const failure = isEmpty && this.end !== undefined ? emptyEnds[this.end] : undefined
    if (failure) throw new ModelError(failure, `ended: ${this.end}`)
    const webSearches = this.billedSearches ?? this.searches
    const answer = toAnswer?.()
    return {
      text: this.text,
      toolCalls,
      truncated: this.end !== undefined && this.end !== 'done',
      ...(this.end === 'length' && { incompleteReason: 'length' }),
      ...(this.end === 'filtered' && { incompleteReason: 'filter' }),
      ...(this.end === 'paused' && { isPaused: true }),
      ...this.usage,
      ...(webSearches > 0 && { webSearches }),
      ...(answer && JSON.stringify(answer.items).length <= maxAnswerCharacters && { answer }),
      ...(isThinking && { isThinking }),
    }
  }
}

/** What an answer without text and calls failed by. */
const emptyEnds: Partial<Record<RoundEnd, (typeof modelErrors)[keyof typeof modelErrors]>> = {
  filtered: modelErrors.filtered,
  badCall: modelErrors.badCall,
  busy: modelErrors.busy,
  broken: modelErrors.broken,
}

/** What cuts the last call of an answer that ended so. After an unknown reason a call without arguments may be complete. */
const cuts: Partial<Record<RoundEnd, NonNullable<ModelToolCall['cutBy']>>> = {
  length: 'length',
  filtered: 'fault',
  badCall: 'fault',
  busy: 'fault',
  broken: 'fault',
}

/** A call while it is written. */
interface OpenCall extends ModelToolCall {
  /** as the server wrote it */
  sentId: string
  /** arguments that its server left in the name */
  inName?: string | undefined
  /** its server has ended it without any arguments */
  isUnwritten?: true
  /** what the text in which it was written has left open */
  open?: NonNullable<WrittenCall['open']>
}

export const newCallId = () => `call_${crypto.randomUUID()}`

/** Whether a text is the JSON of an object. */
export const isObject = (text: string): boolean => isRecord(parseJson(text))

/** GLM: https://github.com/zai-org/GLM-5/issues/84. */
const readWrittenArguments = (name: string): string | undefined =>
  name.includes('<arg_key>') ? readWrittenCalls(name)[0]?.arguments : undefined

/** Gemma's quotation mark, which servers leave around texts: https://github.com/vllm-project/vllm/issues/44522. */
const quotationMark = '<|\\"|>'

/**
 * Arguments as the JSON of an object, if they are one in another form: none, null, an object's JSON within a string
 * (https://github.com/vllm-project/vllm/pull/54964), with marks of an end behind it, with line breaks or backslashes that are not
 * escaped, or twice, where a server sends the whole call again, also as a text (https://github.com/BerriAI/litellm/issues/20480). Others stay as they are, and the call fails with them.
 */
function toArguments(written: string): string {
  const text = cutEndMarks(written).replaceAll(quotationMark, '')
  if (text.trim() === '' || text.trim() === 'null') return '{}'
  const half = text.slice(0, text.length / 2)
  if (text.trimStart().startsWith('{')) {
    if (isObject(text)) return text
    if (text === half + half && isObject(half)) return half
    const first = text.slice(0, text.indexOf('}"{') + 1)
    if (first !== '' && isObject(first) && text === first + JSON.stringify(first)) return first
    const repaired = repairJson(text)
    return repaired !== undefined && isObject(repaired) ? repaired : text
  }
  const inner = parseJson(text)
  return typeof inner === 'string' && isObject(inner) ? inner : text
}
