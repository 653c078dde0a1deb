const channelName = 'juno-conversations'

/** Notifies other tabs that a conversation has changed. */
export function broadcastConversationChange(conversationId: string): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(conversationId)
  channel.close()
}

/**
 * Follows the changes of conversations in other tabs.
 * @param onChange called with the id of each conversation that another tab has changed; not validated
 * @returns `broadcast` notifies the other tabs, `close` stops listening
 */
export function listenToOtherTabs(onChange: (conversationId: unknown) => void) {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => onChange(data)
  return {
    broadcast: (conversationId: string) => channel.postMessage(conversationId),
    close: () => channel.close(),
  }
}
