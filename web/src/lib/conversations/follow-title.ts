import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '#shared/contracts/messages.ts'
import { callApi } from '../api/call-api.ts'
import { conversationKey } from './conversation-key.ts'
import { createConversationCache } from './conversation-cache.ts'

/** Models write a title within seconds. A title that takes longer than all of these is shown when the list is loaded again. */
const waitsMs = [1_500, 2_500, 4_000, 8_000, 14_000]

/**
 * Shows the title that a model writes after the first reply of a conversation, as soon as it is stored.
 * @param session after its first reply, with the first words as its title
 */
export async function followTitle(queryClient: QueryClient, { id, title }: Session): Promise<void> {
  for (const waitMs of waitsMs) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    const cached = queryClient.getQueryData<{ title: string | null }>(conversationKey(id))
    // the user has named or deleted it, or signed out
    if (!cached || (cached.title !== null && cached.title !== title)) return
    // a title that does not come is no failure that a user has to know
    const newestPage = await callApi('sessions.list', { query: { view: 'active', limit: 1 } }).catch(
      () => undefined,
    )
    const session = newestPage?.sessions.find((each) => each.id === id)
    if (session && session.title !== title)
      return createConversationCache(queryClient).retitle(id, session.title, title)
  }
}
