import type { QueryClient } from '@tanstack/react-query'
import type { ConversationCache } from '../../../lib/conversation-cache.ts'

/** Changes the cached lists of conversations. If the code for that cannot be loaded, they stay as they were fetched. */
export function changeConversationCache(
  queryClient: QueryClient,
  change: (cache: ConversationCache) => void,
): void {
  void import('../../../lib/conversation-cache.ts').then(
    (module) => change(module.createConversationCache(queryClient)),
    () => undefined,
  )
}
