import * as z from 'zod'
import { parseJson } from '#shared/parse-json.ts'
import { modelApis, type ModelMessage, type ReasoningItem } from './model.ts'

/** Of what a reply keeps for its model's server, in characters of JSON: with the reply itself it shares one row. */
const maxKeptCharacters = 150_000

const keptItem = z.object({
  api: z.enum(modelApis),
  model: z.string(),
  item: z.record(z.string(), z.unknown()),
  /** places of calls among those of their round */
  beforeCall: z.number().int().optional(),
  ofCall: z.number().int().optional(),
})
type KeptItem = z.infer<typeof keptItem>

/** What the server wants back of one answer of the model, and how many calls that had. */
const keptRound = z.object({ calls: z.number().int().nonnegative(), items: z.array(keptItem) })
export type KeptRound = z.infer<typeof keptRound>

function toKeptItem({ beforeCall, ofCall, ...rest }: ReasoningItem, callIds: readonly string[]): KeptItem {
  const [before, of] = [beforeCall, ofCall].map((id) => (id === undefined ? -1 : callIds.indexOf(id)))
  return {
    ...rest,
    ...(before !== undefined && before >= 0 && { beforeCall: before }),
    ...(of !== undefined && of >= 0 && { ofCall: of }),
  }
}

/** An item for the calls as they are sent again, with other ids; undefined if its call is not among them. */
function toReasoningItem(
  { beforeCall, ofCall, ...rest }: KeptItem,
  callIds: readonly string[],
): ReasoningItem[] {
  const [before, of] = [beforeCall, ofCall].map((place) => (place === undefined ? undefined : callIds[place]))
  if (ofCall !== undefined && of === undefined) return []
  return [
    { ...rest, ...(before !== undefined && { beforeCall: before }), ...(of !== undefined && { ofCall: of }) },
  ]
}

/** What the servers want back of a round whose calls are sent again. */
export const restoreItems = ({ items }: KeptRound, callIds: readonly string[]): ReasoningItem[] =>
  items.flatMap((item) => toReasoningItem(item, callIds))

/**
 * What is stored with a reply so that the next ones can send it back, as JSON: it is the servers' own, of any depth, and read nowhere else.
 * If it is too long, the oldest items go.
 * @param last of the answer without calls that ended the reply
 * @returns undefined if no server wants anything back
 */
export function formatKeptRounds(
  roundMessages: readonly ModelMessage[],
  last: readonly ReasoningItem[] = [],
): string | undefined {
  const rounds: KeptRound[] = roundMessages.flatMap((message) => {
    if (message.role !== 'assistant' || !message.tool_calls) return []
    const ids = message.tool_calls.map(({ id }) => id)
    // calls of a reply that ended before them have no results, and are not stored
    const done = roundMessages.filter((one) => one.role === 'tool' && ids.includes(one.tool_call_id))
    return [{ calls: done.length, items: (message.reasoning ?? []).map((item) => toKeptItem(item, ids)) }]
  })
  rounds.push({ calls: 0, items: last.map((item) => toKeptItem(item, [])) })
  let charactersLeft = maxKeptCharacters
  for (const round of rounds.toReversed()) {
    charactersLeft -= JSON.stringify(round.items).length
    if (charactersLeft < 0) round.items = []
  }
  return rounds.some(({ items }) => items.length > 0) ? JSON.stringify(rounds) : undefined
}

/** @param text as stored; what cannot be read counts as nothing */
export function parseKeptRounds(text: string | undefined): KeptRound[] {
  return z.array(keptRound).safeParse(parseJson(text ?? '')).data ?? []
}
