import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { conversationListsKey } from '../../../lib/conversations/conversation-list.ts'
import type { Conversation } from '../state/conversation.ts'
import { pollWhileVisible } from './poll-while-visible.ts'

/** A decision on another device is seen after a few seconds, while the user may be looking at both. */
const minDelayMs = 3_000
const maxDelayMs = 30_000

/**
 * Reloads a conversation whose reply waits for the user, so that a decision on another device is seen: soon after the page is shown,
 * less often on a page that stays open, and never on a hidden one. A temporary chat is on no other device, and is not reloaded.
 */
export function useRefreshWhileWaiting(conversation: Pick<Conversation, 'refresh' | 'getState'>): void {
  const client = useQueryClient()
  useEffect(
    // the reply may no longer wait, and the cached lists of conversations would still say that it does
    () => () => void client.invalidateQueries({ queryKey: conversationListsKey }),
    [client, conversation],
  )
  useEffect(
    () =>
      pollWhileVisible({
        firstDelayMs: minDelayMs,
        getMinDelayMs: () => minDelayMs,
        maxGrownDelayMs: maxDelayMs,
        poll() {
          if (!conversation.getState().isTemporary) conversation.refresh()
        },
      }),
    [conversation],
  )
}
