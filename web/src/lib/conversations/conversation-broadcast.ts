const channelName = 'juno-conversations'

/** Notifies the listeners of all tabs, also of this one, that a conversation has changed. */
export function broadcastConversationChange(conversationId: string): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(conversationId)
  channel.close()
}

const listChange = { type: 'list-changed' } as const

/** Notifies the same listeners that the lists of conversations have changed: a title, a flag, a deletion. @param id if it is one of them */
export function broadcastListChange(id?: string): void {
  const channel = new BroadcastChannel(channelName)
  if (id !== undefined) channel.postMessage(id)
  channel.postMessage(listChange)
  channel.close()
}

/** Whether a message of `broadcastListChange` says that the lists have changed. */
export const isListChange = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === listChange.type

/**
 * Follows the changes of conversations in other tabs, and those of this tab that `broadcastConversationChange` tells.
 * @param onChange called with the id of the conversation; not validated
 * @returns `broadcast` notifies all listeners but this one, `close` stops listening
 */
export function listenToOtherTabs(onChange: (conversationId: unknown) => void) {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => onChange(data)
  return {
    broadcast: (conversationId: string) => channel.postMessage(conversationId),
    close: () => channel.close(),
  }
}
