import { rejectionError } from '../request-errors.ts'
import { readRejection } from '../server-rejection.ts'
import type { Answer, ModelCall, ModelToolCall } from '../model.ts'
import type { AnswerReader } from '../read-answer.ts'
import { toRoundEnd, type RoundEnd } from '../round-end.ts'
import { isRecord, toFields, toText, type Fields } from '../fields.ts'
import { toDataUrl } from '../image-data.ts'
import { toArgumentsText, type RoundBuilder } from '../round-builder.ts'

type Item = Fields

const isFilled = (value: unknown) => (typeof value === 'string' || Array.isArray(value)) && value.length > 0

const withoutNulls = (item: Item): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))

/** Text of a message of the output. */
const toMessageText = ({ content }: Item): string =>
  (Array.isArray(content) ? content : [])
    .map((part) => toText(toFields(part)['text'] ?? toFields(part)['refusal']))
    .join('')

/**
 * What stands between two messages of one answer, such as a comment and the answer itself: https://github.com/langchain4j/langchain4j/pull/6403.
 */
const toJoint = (before: string, next: string): string =>
  /\S$/.test(before) && /^\S/.test(next) ? '\n\n' : ''

/** What an item may be known by. */
function toKeys(id: unknown, place: unknown): string[] {
  const keys = [
    ...(toText(id) === '' ? [] : [`id ${toText(id)}`]),
    ...(typeof place === 'number' ? [`${place}`] : []),
  ]
  return keys.length > 0 ? keys : ['']
}

/** The API takes no longer id of an item, though servers send some: https://github.com/can1357/oh-my-pi/issues/284. */
const maxIdCharacters = 64

/**
 * An item of the output as it goes back, without what servers send and reject in a request; undefined for one that cannot go back.
 * @param call what the round has made of it, if it is a call
 */
function toInputItem(item: Item, call: ModelToolCall | undefined): Record<string, unknown> | undefined {
  const { status: _, ...rest } = withoutNulls(item)
  switch (item['type']) {
    case 'function_call':
      return call && { ...withoutNulls(item), call_id: call.id, name: call.name, arguments: call.arguments }
    case 'reasoning':
      // without its content the server would look the item up by its id, and nothing is stored there
      return isFilled(rest['encrypted_content']) || isFilled(rest['content'])
        ? {
            ...rest,
            id: toText(rest['id']),
            summary: Array.isArray(rest['summary']) ? (rest['summary'] as unknown[]) : [],
          }
        : undefined
    case 'message':
      return toMessageText(item) === '' ? undefined : { ...withoutNulls(item), role: 'assistant' }
    // the image, which is a file of the user by now
    case 'image_generation_call':
      return undefined
    default:
      return withoutNulls(item)
  }
}

type ReasoningForm = 'text' | 'summary'

/** One item of the output. Calls are told apart by `callId`. */
interface OutputItem {
  /** the first name that it had */
  name: string
  callId?: string
  /** as it was when it was done */
  done?: Item
  isCall?: boolean
  isMessage?: boolean
  /** a search of the web that was reported */
  isSearch?: boolean
  /** a step of a search that the server does not bill */
  isFree?: boolean
  isReasoning?: boolean
  /** its readable reasoning: the form that came first, with its text, and what the other has repeated of it; undefined once that differs */
  reasoning?: { first: ReasoningForm; text: string; second: string | undefined }
}

const toId = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/**
 * Reads the events of one response into a round. Events and items of unknown types are ignored. An item is known by the id of its call,
 * or by its own id, and only without these by its place: llama-server sends no `output_index`, and calls its calls by `call_id` alone
 * (https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-task.cpp).
 */
export class ResponseReader implements AnswerReader {
  readonly #round: RoundBuilder
  readonly #call: ModelCall
  /** in the order in which they began */
  readonly #items: OutputItem[] = []
  #freeSteps = 0
  readonly #itemsById = new Map<string, OutputItem>()
  readonly #itemsByPlace = new Map<number, OutputItem>()
  /** all of it, as the server wrote it */
  #text = ''
  /** all that can be read of it */
  #reasoning = ''
  /** by id and place, the items whose text has come; empty for one without either */
  readonly #withText = new Set<string>()
  /** what servers repeat at the end of a text, or send in place of its pieces */
  readonly #wholeTexts: { text: string; keys: string[] }[] = []
  /** a message has begun whose text has not */
  #beginsMessage = false

  constructor(round: RoundBuilder, call: ModelCall) {
    this.#round = round
    this.#call = call
  }

  /** @throws ModelError for a failed response, and for what is more than the limits allow */
  read(value: unknown): void {
    const event = toFields(value)
    switch (event['type']) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        for (const key of toKeys(event['item_id'], event['output_index'])) this.#withText.add(key)
        return this.#addText(event['delta'])
      case 'response.output_text.done':
      case 'response.refusal.done':
        return this.#addWholeText(
          toText(event['text'] ?? event['refusal']),
          event['item_id'],
          event['output_index'],
        )
      case 'response.reasoning_summary_text.delta':
        return this.#addReasoningText(event, 'summary', event['summary_index'])
      case 'response.reasoning_text.delta':
        return this.#addReasoningText(event, 'text', event['content_index'])
      case 'response.function_call_arguments.delta':
        return this.#round.addToolInput(this.#findCall(event), { delta: toText(event['delta']) })
      case 'response.function_call_arguments.done': {
        const args = toArgumentsText(event['arguments'])
        return this.#round.completeToolInput(this.#findCall(event), { name: '', args })
      }
      case 'response.output_item.added':
        return this.#addItem(event['item'], event['output_index'], false)
      case 'response.output_item.done':
        this.#addItem(event['item'], event['output_index'], true)
        return this.#addWholeMessage(toFields(event['item']), event['output_index'])
      case 'response.output_text.annotation.added':
        return this.#addAnnotation(event['annotation'])
      case 'response.completed':
        return this.#end(event['response'], 'done')
      case 'response.incomplete':
        return this.#end(event['response'], 'length')
      case 'response.failed':
        return this.#fail(event['response'])
      default:
    }
  }

  readWhole(answer: Fields): void {
    this.#end(answer, 'done')
  }

  /** @throws ModelError */
  #fail(response: unknown): never {
    const rejection = readRejection({ error: toFields(response)['error'] ?? {} }, { status: undefined })
    throw rejectionError(rejection, this.#round.hasStarted)
  }

  #addText(text: unknown): void {
    const piece = toText(text)
    if (piece === '') return
    const joint = this.#beginsMessage ? toJoint(this.#text, piece) : ''
    this.#beginsMessage = false
    this.#text += joint + piece
    this.#round.addText(joint + piece)
  }

  /** The texts that came in one event alone (https://github.com/Sophomoresty/gemini-web2api/pull/57), at the end of the stream. */
  end(): void {
    for (const { text, keys } of this.#wholeTexts.splice(0)) {
      const isKnown = keys.some((key) => this.#withText.has(key)) || this.#withText.has('')
      for (const key of keys) this.#withText.add(key)
      if (isKnown || this.#text.endsWith(text)) continue
      this.#beginsMessage = true
      this.#addText(text)
    }
  }

  #addWholeText(text: string, id: unknown, place: unknown): void {
    if (text !== '') this.#wholeTexts.push({ text, keys: toKeys(id, place) })
  }

  /** ChatGPT's server may send a message with its item alone: https://github.com/sipeed/picoclaw/issues/2674. */
  #addWholeMessage(item: Item, place: unknown): void {
    if (item['type'] === 'message') this.#addWholeText(toMessageText(item), item['id'], place)
  }

  /**
   * The output as the server gave it. To be called at the end of the stream.
   * @returns undefined if some of the text or of the calls is in no item: they go back as the round has them
   */
  listItems(): Answer['items'] | undefined {
    const places = new Map([...this.#itemsByPlace].map(([place, item]) => [item, place]))
    const hasPlaces = this.#items.every((item) => places.has(item))
    const items = hasPlaces
      ? this.#items.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
      : this.#items
    const calls = this.#round.endCalls()
    const listed = items.flatMap((item): Answer['items'] => {
      const sent = item.done && toInputItem(item.done, calls.get(item))
      return sent ? [sent] : []
    })
    const text = listed
      .map((item) => (item['type'] === 'message' ? toMessageText(item) : ''))
      .reduce((before, next) => before + toJoint(before, next) + next, '')
    const callCount = listed.filter(({ type }) => type === 'function_call').length
    if (text !== this.#round.text || callCount !== calls.size) return undefined
    const hasAllReasoning = items.every(
      ({ done }) => done?.['type'] !== 'reasoning' || toInputItem(done, undefined) !== undefined,
    )
    const hasLongIds = listed.some(({ id }) => toText(id).length > maxIdCharacters)
    // with an id the server insists on the reasoning that came before
    return hasAllReasoning && !hasLongIds
      ? listed
      : listed.map(({ id, ...item }) =>
          item['type'] === 'reasoning' && !hasLongIds ? { ...item, id } : item,
        )
  }

  /**
   * Servers write the same words as text and as summary (https://github.com/peonist-ai/halogen-flash-server/issues/67): the second form of
   * an item waits while it repeats the first.
   */
  #addReasoningText(event: Fields, form: ReasoningForm, part: unknown): void {
    const item = this.#findReasoning(event)
    const delta = toText(event['delta'])
    this.#reasoning += delta
    item.reasoning ??= { first: form, text: '', second: '' }
    const { reasoning } = item
    let added = delta
    if (form === reasoning.first) reasoning.text += delta
    else if (reasoning.second !== undefined) {
      reasoning.second += delta
      if (reasoning.text.startsWith(reasoning.second)) return
      added = reasoning.second
      reasoning.second = undefined
    }
    this.#round.addReasoningText(added, `${item.name}:${String(part)}`)
  }

  /** Some servers send reasoning with its item, or with the last event, alone; others repeat it there. */
  #addWholeReasoning(known: OutputItem, { summary, content }: Item): void {
    if (known.reasoning) return
    const [parts = []] = [summary, content].filter(isFilled)
    for (const [index, part] of (Array.isArray(parts) ? (parts as unknown[]) : []).entries()) {
      const text = toText(toFields(part)['text'])
      if (text === '' || this.#reasoning.includes(text)) continue
      this.#reasoning += text
      this.#round.addReasoningText(text, `${known.name}:${index}`)
    }
  }

  /** The reasoning that a piece belongs to: by its item's id, its place or, without these, what began last. */
  #findReasoning({ item_id, output_index }: Fields): OutputItem {
    const last = this.#items.at(-1)
    const isUnnamed = toId(item_id) === undefined && typeof output_index !== 'number'
    if (isUnnamed && last && (last.isReasoning || last.reasoning)) return last
    return this.#findItem({ id: item_id }, output_index)
  }

  /** The item that an event speaks of, with all the names that it has; a new one if none is known. */
  #findItem({ call_id, id }: Item, place: unknown): OutputItem {
    const [callId, itemId] = [toId(call_id), toId(id)]
    const at = typeof place === 'number' ? place : undefined
    const known =
      (callId !== undefined ? this.#itemsById.get(callId) : undefined) ??
      (itemId !== undefined ? this.#itemsById.get(itemId) : undefined) ??
      (at !== undefined ? this.#itemsByPlace.get(at) : undefined)
    const isOther = known?.callId !== undefined && callId !== undefined && known.callId !== callId
    const item: OutputItem =
      known && !isOther ? known : { name: itemId ?? callId ?? `item-${this.#items.length}` }
    if (item !== known) this.#items.push(item)
    if (callId !== undefined) item.callId = callId
    for (const name of [callId, itemId]) if (name !== undefined) this.#itemsById.set(name, item)
    if (at !== undefined) this.#itemsByPlace.set(at, item)
    return item
  }

  /** The call that a piece of arguments belongs to: by its item's id, its place or, without these, the last one. */
  #findCall({ item_id, output_index }: Fields): OutputItem {
    const id = toId(item_id)
    const known =
      (id !== undefined ? this.#itemsById.get(id) : undefined) ??
      (typeof output_index === 'number' ? this.#itemsByPlace.get(output_index) : undefined)
    if (known) return known
    const last = this.#items.findLast(({ isCall }) => isCall)
    return last && id === undefined && output_index === undefined
      ? last
      : this.#findItem({ id: item_id }, output_index)
  }

  #addItem(item: unknown, place: unknown, isDone: boolean): void {
    if (!isRecord(item)) return
    const known = this.#findItem(item, place)
    if (isDone) known.done = { ...known.done, ...withoutNulls(item) }
    if (item['type'] === 'message') {
      if (!known.isMessage) this.#beginsMessage = true
      known.isMessage = true
    } else if (item['type'] === 'function_call') {
      known.isCall = true
      const [id, name] = [item['call_id'], toText(item['name'])]
      const args = toArgumentsText(item['arguments'])
      if (isDone) this.#round.completeToolInput(known, { id, name, args })
      else this.#round.addToolInput(known, { id, name })
    } else if (item['type'] === 'reasoning') {
      known.isReasoning = true
      this.#round.addHiddenReasoning()
      if (isDone) this.#addWholeReasoning(known, item)
    } else if (item['type'] === 'image_generation_call' && isDone && toText(item['result']) !== '')
      this.#round.addImage(toDataUrl(toText(item['result']), 'image/png'))
    else if (item['type'] === 'web_search_call')
      this.#addSearch(known, toText(toFields(item['action'])['type']))
  }

  /** Opening a found page, or looking for words in it, has no price: https://developers.openai.com/api/docs/guides/tools-web-search */
  #addSearch(item: OutputItem, action: string): void {
    if (!item.isSearch) this.#round.addSearch()
    item.isSearch = true
    if (!item.isFree && (action === 'open_page' || action === 'find_in_page')) {
      item.isFree = true
      this.#freeSteps += 1
    }
    this.#round.billedSearches = this.#round.searches - this.#freeSteps
  }

  #addAnnotation(annotation: unknown): void {
    if (!isRecord(annotation) || annotation['type'] !== 'url_citation') return
    const { url, title } = annotation
    if (typeof url !== 'string' || url === '') return
    this.#call.onSource?.({ url, ...(typeof title === 'string' && title !== '' && { title }) })
  }

  #addWholePart({ text, refusal, annotations }: Item): void {
    this.#addText(text ?? refusal)
    for (const annotation of Array.isArray(annotations) ? (annotations as unknown[]) : [])
      this.#addAnnotation(annotation)
  }

  /** Some servers send the encrypted reasoning, or everything, with the last event only. */
  #end(response: unknown, end: RoundEnd): void {
    const { status, incomplete_details: details } = toFields(response)
    // some servers say in the response alone that it is not complete
    if (status === 'failed' || status === 'cancelled') return this.#fail(response)
    const reason = toText(toFields(details)['reason'])
    const named = reason === '' ? undefined : toRoundEnd(reason)
    this.#round.end =
      named !== undefined && named !== 'unknown'
        ? named
        : status === 'incomplete' || reason !== ''
          ? 'length'
          : end
    this.end()
    if (!isRecord(response)) return
    this.#round.addUsage(response['usage'])
    const output: unknown[] = Array.isArray(response['output']) ? response['output'] : []
    const hadText = this.#text !== ''
    const isCall = (item: unknown): item is Item => isRecord(item) && item['type'] === 'function_call'
    // what was streamed is repeated here, by some servers without the places or ids that it had
    let missingCalls = output.filter(isCall).length - this.#items.filter((item) => item.isCall).length
    for (const [index, item] of output.entries()) {
      if (isCall(item)) {
        const isKnown = this.#itemsById.has(toId(item['call_id']) ?? '')
        if (!isKnown && missingCalls <= 0) continue
        if (!isKnown) missingCalls -= 1
      }
      this.#addItem(item, this.#itemsByPlace.size > 0 || this.#items.length === 0 ? index : undefined, true)
      if (!hadText && isRecord(item) && item['type'] === 'message' && Array.isArray(item['content']))
        for (const part of item['content'] as unknown[]) if (isRecord(part)) this.#addWholePart(part)
    }
  }
}
