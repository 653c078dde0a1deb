import type { QueryClient } from '@tanstack/react-query'
import type { ConversationCache } from '../../../lib/conversation-cache.ts'

/** Changes the cached lists of conversations. Does nothing if the code cannot be loaded: then no list is shown. */
export function changeConversationCache(
  queryClient: QueryClient,
  change: (cache: ConversationCache) => void,
): void {
  void import('../../../lib/conversation-cache.ts').then(
    (module) => change(module.createConversationCache(queryClient)),
    () => undefined,
  )
}
