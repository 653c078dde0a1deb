const channelName = 'juno-conversations'

const openChannel = () =>
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(channelName)

/** Tells the other tabs of this browser that a conversation is not what they last saw. */
export function tellOtherTabs(conversationId: string): void {
  const channel = openChannel()
  channel?.postMessage(conversationId)
  channel?.close()
}

/**
 * @param onChange called with the id of each conversation that another tab has changed
 * @returns what tells the others, and what stops listening
 */
export function hearOtherTabs(onChange: (conversationId: unknown) => void) {
  const channel = openChannel()
  if (channel) channel.onmessage = ({ data }: MessageEvent<unknown>) => onChange(data)
  return {
    tell: (conversationId: string) => channel?.postMessage(conversationId),
    stop: () => channel?.close(),
  }
}
