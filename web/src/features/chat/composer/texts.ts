// composer
export const sendLater = 'Send after this reply'
export const send = 'Send'
export const label = (assistantName: string) => `Message ${assistantName}`
export const placeholder = (assistantName: string) => `Message ${assistantName}...`
export const stopping = 'Stopping'
export const stopWithKey = 'Stop (Esc)'
export const stop = 'Stop'
export const offline = 'You are offline'
export const offlineHint = 'You are offline. Messages can be sent when the connection is back.'
export const respondHint = 'Respond above to continue, or press Esc to stop'
export const replyingHint = (assistantName: string) =>
  `${assistantName} is replying. Your next message waits for the end; Esc stops the reply`
export const keysHint = 'Press Enter to send • Shift + Enter for new line'
export const online = (assistantName: string) => `${assistantName} Online`
export const tooLong = 'This message is too long'
export const tooLongHint = (max: number) => `A message can have up to ${max.toLocaleString()} characters.`

// quote-button
export const quote = 'Quote'
