import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '#shared/contracts/messages.ts'
import { loadConfig } from '../../../lib/api/config.ts'
import {
  broadcastListChange,
  isListChange,
  listenToOtherTabs,
} from '../../../lib/conversations/conversation-broadcast.ts'
import type { ConversationCache } from '../../../lib/conversations/conversation-cache.ts'
import { conversationKey } from '../../../lib/conversations/conversation-key.ts'
import type { Conversation } from './conversation.ts'

/** Changes the cached lists of conversations. If the code for that cannot be loaded, they stay as they were fetched. */
export function changeConversationCache(
  queryClient: QueryClient,
  change: (cache: ConversationCache) => void,
): void {
  void import('../../../lib/conversations/conversation-cache.ts').then(
    (module) => change(module.createConversationCache(queryClient)),
    () => undefined,
  )
}

/** The number of messages after the first reply. */
const firstReplyMessageCount = 2

/** Puts a stored conversation into the lists after a turn, and after the first one also the title that a model writes then. */
export function listConversation(queryClient: QueryClient, session: Session): void {
  changeConversationCache(queryClient, (cache) => cache.upsert(session))
  if (session.message_count !== firstReplyMessageCount) return
  followTitle(queryClient, session).then(
    () => broadcastListChange(session.id),
    () => undefined,
  )
}

/** Waits for the title that a model writes, where models write titles. If this fails, the next load of the list has the title. */
async function followTitle(queryClient: QueryClient, session: Session): Promise<void> {
  if (!(await loadConfig()).writesTitles) return
  const module = await import('../../../lib/conversations/follow-title.ts')
  return module.followTitle(queryClient, session)
}

interface RunReporterOptions {
  queryClient: QueryClient
  userId: string
  /** @returns undefined for a conversation that is not open */
  find: (id: string) => Conversation | undefined
}

/** Tells the user's other tabs when replies begin and end, and keeps the cached lists as other tabs change them. */
export function createRunReporter({ queryClient, userId, find }: RunReporterOptions) {
  // one channel for sending and receiving, because a channel does not receive its own messages
  const otherTabs = listenToOtherTabs((id) => {
    if (isListChange(id)) return changeConversationCache(queryClient, (cache) => cache.refetchAll())
    if (typeof id !== 'string') return
    const isShown = queryClient
      .getQueryCache()
      .find({ queryKey: conversationKey(id) })
      ?.isActive()
    if (isShown) find(id)?.refresh()
    changeConversationCache(queryClient, (cache) => cache.refetchIfMissing(id))
  })
  return {
    /**
     * Reports that a reply has begun or ended: the service has the conversation, and other tabs follow or show the reply.
     * @param isNew whether the conversation has begun on this page, so that the cached list may not have it
     * @param isRunning false at the end
     */
    report(id: string, { isNew, isRunning }: { isNew: boolean; isRunning: boolean }): void {
      otherTabs.broadcast(id)
      const { messages, projectId } = find(id)?.getState() ?? {}
      const message = messages?.find(({ role }) => role === 'user')
      if (!isRunning || !message) return
      changeConversationCache(queryClient, (cache) =>
        isNew ? cache.begin({ id, userId, message, projectId }) : cache.refetchIfMissing(id),
      )
    },
    close: otherTabs.close,
  }
}
