import { queryOptions } from '@tanstack/react-query'
import type { DataCounts } from '#shared/contracts/account.ts'
import { callApi } from '../../lib/call-api.ts'

/** How much is held of the user, counted in the stores at this moment: never from a cache. */
export const heldQuery = queryOptions({
  queryKey: ['held'],
  queryFn: ({ signal }) => callApi('account.held', {}, { signal, timeoutMs: 30_000 }),
  gcTime: 0,
})

const kinds = [
  ['conversations', 'conversation', 'conversations'],
  ['messages', 'message', 'messages'],
  ['files', 'file', 'files'],
  ['integrations', 'integration', 'integrations'],
  ['credentials', 'credential', 'credentials'],
  ['custom_tools', 'custom tool', 'custom tools'],
  ['tool_calls', 'tool call', 'tool calls'],
] as const satisfies readonly (readonly [keyof DataCounts, string, string])[]

/** What goes with an account, as the end of a list: `, 3 conversations, 1 message`; empty for nothing. */
export const heldTail = (held: DataCounts) =>
  counted(held)
    .filter(({ count }) => count > 0)
    .map(({ words }) => `, ${words}`)
    .join('')

/** `3 conversations, 1 message, 0 files, 0 integrations, 0 credentials, 0 custom tools` */
export const heldSentence = (held: DataCounts) =>
  counted(held)
    .map(({ words }) => words)
    .join(', ')

const counted = (held: DataCounts) =>
  kinds.map(([kind, one, many]) => ({
    count: held[kind],
    words: `${held[kind].toLocaleString('en')} ${held[kind] === 1 ? one : many}`,
  }))
