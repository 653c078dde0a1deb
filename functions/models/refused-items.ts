import { createHash } from 'node:crypto'
import { isRecord } from './fields.ts'
import { modelErrors, ModelError } from './model-errors.ts'
import type { Answer, ModelMessage } from './model.ts'
import { RecentMap } from './recent-map.ts'

// A server may refuse one item of an answer that it has given: a signature has expired, a field is unknown in a request.

type Item = Answer['items'][number]

/** Items without which the rest of an answer makes no sense: the message of Chat Completions has no type. */
const essentialTypes: readonly unknown[] = [undefined, 'message', 'function_call', 'text', 'tool_use']

const listItems = (message: ModelMessage): Item[] =>
  message.role === 'assistant' ? (message.answer?.items ?? []) : []

/** Ids of servers are long: shorter ones may be words of the message. */
const minIdCharacters = 8
const isNamedById = ({ id }: Item, text: string) =>
  typeof id === 'string' && id.length >= minIdCharacters && text.includes(id)

const keys = new WeakMap<Item, string>()
function toKey(item: Item): string {
  const key = keys.get(item) ?? createHash('sha256').update(JSON.stringify(item)).digest('base64url')
  keys.set(item, key)
  return key
}

const originals = new WeakMap<Item, Item>()
/** With the id of a call or a text the Responses API insists on the reasoning that came before. */
function withoutId(item: Item): Item {
  if (item['type'] === 'reasoning') return item
  const { id: _, ...rest } = item
  originals.set(rest, item)
  return rest
}

/** The message without those of these items; without its answer if that makes no sense then. */
export function omitItems(message: ModelMessage, omitted: ReadonlySet<Item>): ModelMessage {
  const items = listItems(message)
  if (message.role !== 'assistant' || !message.answer || !items.some((item) => omitted.has(item)))
    return message
  const { answer, ...rest } = message
  const isEssential = items.some((item) => omitted.has(item) && essentialTypes.includes(item['type']))
  const left = items.filter((item) => !omitted.has(item))
  if (isEssential || left.length === 0) return rest
  return { ...rest, answer: { ...answer, items: answer.api === 'responses' ? left.map(withoutId) : left } }
}

/**
 * The items of answers that a server has refused: those that it names by their path or their id.
 * @returns none if the error names none, or is no refusal
 */
export function findRefusedItems(error: unknown, messages: readonly ModelMessage[]): Item[] {
  if (!(error instanceof ModelError) || error.code !== modelErrors.refused.code) return []
  const { named = [], message = '' } = error.rejection ?? {}
  const items = messages.flatMap(listItems)
  const byPath = named.flat().filter((part): part is Item => isRecord(part) && items.includes(part))
  const refused = byPath.length > 0 ? byPath : items.filter((item) => isNamedById(item, message))
  return refused.map((item) => originals.get(item) ?? item)
}

/** Remembers for a while which items were refused: they are in all later requests of their conversation. */
export function refusedItemMemory(rememberedMs: number) {
  const refused = new RecentMap<string, true>(rememberedMs)
  return {
    list: (messages: readonly ModelMessage[]): Set<Item> =>
      new Set(
        (refused.isEmpty ? [] : messages.flatMap(listItems)).filter((item) => refused.get(toKey(item))),
      ),
    add: (item: Item) => refused.set(toKey(item), true),
  }
}
