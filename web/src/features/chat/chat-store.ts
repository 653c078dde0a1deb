import { errorBlockMs } from '#shared/limits.ts'
import type { ChatMessage } from './chat-message.ts'
import { chatReducer, type ChatAction } from './chat-reducer.ts'
import { emptyChat, type ChatState } from './chat-state.ts'

/**
 * The state of one conversation, and who is told when it changes. An error goes by itself after 5 s (CHAT-29).
 * @param fresh nothing of it is stored yet
 * @param unsent a message of an earlier page that the service has not acknowledged
 */
export function createChatStore(fresh: boolean, unsent?: ChatMessage) {
  let state = emptyChat(fresh, unsent)
  const listeners = new Set<() => void>()

  const dispatch = (action: ChatAction): void => {
    const next = chatReducer(state, action)
    if (next === state) return
    const { error } = next
    if (error && error !== state.error)
      setTimeout(() => dispatch({ type: 'error-cleared', errorId: error.id }), errorBlockMs)
    state = next
    for (const listener of listeners) listener()
  }

  return {
    getState: (): ChatState => state,
    dispatch,
    /** @returns ends the subscription */
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Forgets the reply that is followed: nobody looks any more, so nobody is told. */
    letGo: () => {
      if (state.turn) state = { ...state, turn: null, isLoading: false, streamingText: '' }
    },
  }
}
