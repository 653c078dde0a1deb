import { useSyncExternalStore } from 'react'
import type { ChatState } from './chat-state.ts'
import type { Conversation } from './conversation.ts'

/** A part of a conversation's state. @param select must give the same value for the same state */
export function useConversationState<Part>(
  { subscribe, getState }: Conversation,
  select: (state: ChatState) => Part,
): Part {
  return useSyncExternalStore(subscribe, () => select(getState()))
}
