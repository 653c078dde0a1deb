const channelName = 'juno-conversations'

const openChannel = () =>
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(channelName)

/** Notifies other tabs that a conversation has changed. */
export function broadcastConversationChange(conversationId: string): void {
  const channel = openChannel()
  channel?.postMessage(conversationId)
  channel?.close()
}

/**
 * @param onChange called with the id of each conversation that another tab has changed
 * @returns notifies the other tabs, and stops listening
 */
export function listenToOtherTabs(onChange: (conversationId: unknown) => void) {
  const channel = openChannel()
  if (channel) channel.onmessage = ({ data }: MessageEvent<unknown>) => onChange(data)
  return {
    broadcast: (conversationId: string) => channel?.postMessage(conversationId),
    close: () => channel?.close(),
  }
}
