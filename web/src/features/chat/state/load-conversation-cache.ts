import type { QueryClient } from '@tanstack/react-query'

/** Loads the writer of the cached lists. @returns undefined if its code cannot be loaded, and so no list is shown */
export const loadConversationCache = (queryClient: QueryClient) =>
  import('../../../lib/conversation-cache.ts').then(
    (module) => module.createConversationCache(queryClient),
    () => undefined,
  )
