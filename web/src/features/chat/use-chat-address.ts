import { useEffect, useLayoutEffect } from 'react'
import { useLocation, useSearchParams } from '../../lib/router.tsx'
import { useStore } from '../../lib/create-store.ts'
import { rememberChat } from '../../lib/last-chat.ts'
import { sameChatState } from '../../lib/new-chat.ts'
import { conversationParameter } from '../../lib/paths.ts'
import type { Conversations } from './state/conversations.ts'

/** The options of a navigation that keeps the chat. */
export const sameChat = { replace: true, state: sameChatState } as const

/**
 * Keeps the address in step with the new chat: adds its id once it has messages, and starts another new chat when the user navigates to
 * a new one. A layout effect, so that no frame shows the conversation of the address before.
 * @param openId the conversation that the address names; null for the new chat
 */
export function useChatAddress(
  conversations: Conversations,
  { openId, hasMessages, isTemporary }: { openId: string | null; hasMessages: boolean; isTemporary: boolean },
): void {
  const [, setParams] = useSearchParams()
  const { key, state: locationState, isHistoryMove } = useLocation()
  const newChatId = useStore(conversations.newChatId)
  useLayoutEffect(() => {
    const lastVisit = conversations.recordVisit({ key, openId })
    // once it has an address, the new chat is an ordinary conversation, and the next new chat needs an id of its own
    if (openId === newChatId) return conversations.startNewChat()
    if (openId !== null || !(hasMessages || isTemporary)) return
    // The new chat has begun. A link to a new chat starts another one, from any page; so does a step in the history from one new chat to another.
    const hasNavigated = lastVisit !== undefined && key !== lastVisit.key && locationState !== sameChatState
    if (hasNavigated && (!isHistoryMove || (lastVisit.openId === null && hasMessages)))
      return conversations.startNewChat()
    // a temporary chat has no address
    if (hasMessages && !isTemporary) setParams({ [conversationParameter]: newChatId }, sameChat)
  }, [
    conversations,
    newChatId,
    openId,
    hasMessages,
    isTemporary,
    key,
    locationState,
    isHistoryMove,
    setParams,
  ])
}

/** Stores the address of the shown chat, to which the links of other pages lead back; again with each visit, because its position in the tab's history is stored, too. */
export function useLastChat(userId: string): void {
  const { key, search } = useLocation()
  useEffect(() => rememberChat(userId, `/${search}`), [userId, search, key])
}
