const channelName = 'juno-conversations'

/** Notifies the listeners of all tabs, also of this one, that a conversation has changed. */
export function broadcastConversationChange(conversationId: string): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(conversationId)
  channel.close()
}

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
