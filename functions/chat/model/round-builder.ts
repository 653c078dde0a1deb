import { parseJson } from '#shared/parse-json.ts'
import { modelErrors, ModelError } from './model-errors.ts'
import type { ModelCall, ModelRound, ModelToolCall, ReasoningItem } from './model.ts'
import { isRecord, toFields, toText } from './fields.ts'
import type { RoundEnd } from './round-end.ts'
import { checkCallLimits, maxReasoningCharacters } from './stream-limits.ts'
import { cutEndMarks, TextMarks } from './text-marks.ts'
import { ThinkTags } from './think-tags.ts'
import { readSearches, TokenCounts, type TokenUsage } from './token-counts.ts'
import { ToolNames } from './tool-names.ts'
import type { WrittenCall } from './written-calls.ts'

/** A piece of a call's arguments. Some servers send an object in place of its JSON: https://github.com/ggml-org/llama.cpp/issues/20198. */
export const toArgumentsText = (value: unknown): string =>
  isRecord(value) ? JSON.stringify(value) : toText(value)

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
  readonly #calls = new Map<unknown, ModelToolCall>()
  readonly #reasoning = new Map<string, ReasoningItem>()
  readonly #tokens = new TokenCounts()
  readonly #marks: TextMarks
  readonly #thinkTags: ThinkTags
  readonly toolNames: ToolNames
  #argumentCharacters = 0
  #reasoningCharacters = 0
  #hasReasoned = false

  constructor(call: ModelCall) {
    this.#call = call
    this.toolNames = new ToolNames(call.tools)
    this.#marks = new TextMarks({
      onText: (delta) => this.#thinkTags.add(delta),
      onReasoning: (delta) => this.addReasoningText(delta, 'think'),
      onCalls: (calls) => this.#addWrittenCalls(calls),
    })
    this.#thinkTags = new ThinkTags({
      onText: (delta) => {
        this.text += delta
        call.onText(delta)
      },
      onReasoning: (delta) => this.addReasoningText(delta, 'think'),
      onTextWasReasoning: () => {
        this.#hasReasoned = true
        this.text = ''
        call.onTextWasReasoning?.()
      },
    })
  }

  /** Whether some of the answer has arrived, be it reasoning alone. */
  get hasStarted(): boolean {
    return this.text !== '' || this.#calls.size > 0 || this.#hasReasoned || this.#reasoning.size > 0
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
    for (const { name, arguments: delta } of calls)
      this.addToolInput({}, { id: `call_${crypto.randomUUID()}`, name, delta })
    return true
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
    const call = known ?? { id: '', name: '', arguments: '' }
    this.#calls.set(key, call)
    if (call.id === '' && typeof id === 'string') call.id = id
    const wasNamed = call.name !== ''
    if (call.name === '') call.name = this.toolNames.resolve(name)
    call.arguments += delta
    this.#argumentCharacters += delta.length
    if (call.id === '' || call.name === '') return
    if (!wasNamed) this.#call.onToolInput?.({ id: call.id, name: call.name, delta: '' })
    if (delta !== '') this.#call.onToolInput?.({ id: call.id, name: call.name, delta })
  }

  /** Adds the arguments that the server repeats at the end of a call, if it has sent none in pieces. */
  completeToolInput(key: unknown, { id, name, args }: { id?: unknown; name: string; args: string }) {
    const known = this.#calls.get(key)
    if (!known) this.addToolInput(key, { id, name, delta: args })
    else if (known.arguments === '') this.addToolInput(key, { delta: args })
  }

  /** Adds an item that the model wants back, or replaces the one with the same key. What is more than the limit is left out. */
  addReasoning(key: string, item: ReasoningItem): void {
    const known = this.#reasoning.get(key)
    const size = this.#reasoningCharacters + measure(item) - (known ? measure(known) : 0)
    this.#hasReasoned = true
    if (size > maxReasoningCharacters) return
    this.#reasoningCharacters = size
    this.#reasoning.set(key, item)
  }

  /**
   * @param isDone whether the stream said so itself: some servers give no reason for the end
   * @throws ModelError when the answer ended before its end, or the content filter left nothing of it
   */
  build(isDone: boolean): ModelRound {
    this.#marks.end()
    this.#thinkTags.end()
    const toolCalls = withUniqueIds([...this.#calls.values()].filter(({ name }) => name.trim() !== ''))
    const isEmpty = this.text === '' && toolCalls.length === 0
    const last = toolCalls.at(-1)
    if (this.end === 'length' && last && parseJson(last.arguments) === undefined) last.isCut = true
    if (this.end === undefined && (!isDone || isEmpty))
      throw new ModelError(
        this.hasStarted ? modelErrors.cut : modelErrors.empty,
        'the stream ended without a reason',
      )
    const failure = isEmpty && this.end !== undefined ? emptyEnds[this.end] : undefined
    if (failure) throw new ModelError(failure, `ended: ${this.end}`)
    const webSearches = this.billedSearches ?? this.searches
    return {
      text: this.text,
      toolCalls,
      truncated: this.end !== undefined && this.end !== 'done',
      ...(this.end === 'length' && { incompleteReason: 'length' }),
      ...(this.end === 'filtered' && { incompleteReason: 'filter' }),
      ...(this.end === 'paused' && { isPaused: true }),
      ...this.usage,
      ...(webSearches > 0 && { webSearches }),
      ...(this.#reasoning.size > 0 && { reasoning: [...this.#reasoning.values()] }),
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

const measure = (item: ReasoningItem) => JSON.stringify(item).length

/**
 * Arguments as the JSON of an object, if they are one in another form: none, null, or an object's JSON within a string
 * (https://github.com/vllm-project/vllm/pull/54964), or one with marks of an end behind it. Others stay as they are, and the call fails with them.
 */
function toArguments(written: string): string {
  const text = cutEndMarks(written)
  if (text.trim() === '' || text.trim() === 'null') return '{}'
  if (!text.trimStart().startsWith('"')) return text
  try {
    const inner: unknown = JSON.parse(text)
    return typeof inner === 'string' && isRecord(JSON.parse(inner)) ? inner : text
  } catch {
    return text
  }
}

/**
 * Gives each call an id that no other has: decisions of users and results of tools are matched by it. A call that the server repeats with
 * all it has is one call, so that nothing is done twice.
 */
function withUniqueIds(calls: readonly ModelToolCall[]): ModelToolCall[] {
  const known = new Map<string, ModelToolCall>()
  for (const call of calls) {
    const same = known.get(call.id)
    if (same?.name === call.name && same.arguments === call.arguments) continue
    const id = call.id === '' || same ? `call_${crypto.randomUUID()}` : call.id
    known.set(id, { ...call, id, arguments: toArguments(call.arguments) })
  }
  return [...known.values()]
}
