import { createStore } from '../browser/create-store.ts'

/** The ids of the conversations for which this tab follows a reply that is being written. */
export const replyingConversations = createStore<ReadonlySet<string>>(new Set())

/** Notes whether the reply of a conversation is being written. */
export function setReplying(id: string, isReplying: boolean): void {
  const ids = replyingConversations.getState()
  if (ids.has(id) === isReplying) return
  replyingConversations.setState(
    isReplying ? new Set([...ids, id]) : new Set([...ids].filter((one) => one !== id)),
  )
}
