import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { broadcastListChange } from '../../../lib/conversations/conversation-broadcast.ts'
import { conversationListKey } from '../../../lib/conversations/conversation-list.ts'
import { createRunReporter } from './conversation-lists.ts'

it('lists are fetched again when another tab has renamed, archived or deleted a conversation', async () => {
  const queryClient = new QueryClient()
  const queryKey = conversationListKey('active')
  queryClient.setQueryData(queryKey, { sessions: [], total: 0 })
  const reporter = createRunReporter({ queryClient, userId: 'u', find: () => undefined })
  broadcastListChange()
  await expect.poll(() => queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true)
  reporter.close()
})
