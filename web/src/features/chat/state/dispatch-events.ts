import { notifyNotStopped } from './chat-toasts.ts'
import { toChatFailure } from './chat-failure.ts'
import { transition, type ConversationEvent, type Effect, type Transition } from './conversation-machine.ts'
import type { ConversationParts, ShownError } from './conversation-parts.ts'
import type { createConversationStore } from './conversation-store.ts'
import type { ConversationOptions } from './conversation.ts'
import type { createEffects } from './effects.ts'
import { getActiveReply } from './pending-reply.ts'

/** Loads the code of requests and streams, which is needed from the first message on, or for a reply that is running. */
export const loadEffects = () => import('./effects.ts')

/** Describes an error as the conversation shows it. */
export const toShownError = (cause: unknown): ShownError => ({
  ...toChatFailure(cause),
  id: crypto.randomUUID(),
  timestamp: Date.now(),
})

/** Applies events to a conversation by its state machine, and performs their effects, whose code is loaded with the first. */
export function createDispatcher(
  options: ConversationOptions,
  { getState, update, load }: ReturnType<typeof createConversationStore>,
) {
  let effects: ReturnType<typeof createEffects> | undefined

  const apply = (change: (chat: ConversationParts) => Transition): Promise<boolean> | undefined => {
    let effect: Effect | undefined
    update((chat) => {
      const [next, nextEffect] = change(chat)
      effect = nextEffect
      return next
    })
    return effect && perform(effect)
  }
  /** Applies an event, and performs the effect of its transition. @returns undefined without one; false when the server could not be asked to stop */
  const dispatch = (event: ConversationEvent) => apply((chat) => transition(chat, event))

  const perform = (effect: Effect): Promise<boolean> =>
    effects?.perform(effect) ??
    loadEffects().then(
      (module) => {
        effects ??= module.createEffects({ ...options, getState, apply, load, toShownError })
        // the conversation may have been closed, or the reply stopped, while the code was loading
        const isOver = 'request' in effect && effect.request !== getActiveReply(getState().pending)?.request
        return isOver || effects.perform(effect)
      },
      (cause: unknown) => {
        const error = toShownError(cause)
        if ('request' in effect && effect.request !== undefined)
          void dispatch({ type: 'request-ended', request: effect.request, reason: 'failed', error })
        if (effect.type === 'stop') {
          void dispatch({ type: 'stop-refused', messageId: effect.messageId })
          notifyNotStopped(cause)
        }
        return false
      },
    )

  return {
    dispatch,
    /** Applies the text that has arrived and waits for the next frame. */
    flush: () => effects?.flush(),
    /** Ends all requests. */
    close: () => effects?.close(),
  }
}
