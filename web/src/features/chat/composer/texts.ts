import { t } from '@lingui/core/macro'

// composer
export const sendLater = t`Send after this reply`
export const send = t`Send`
export const label = (assistantName: string) => t`Message ${assistantName}`
export const placeholder = (assistantName: string) => t`Message ${assistantName}...`
export const stopping = t`Stopping`
export const stopWithKey = t`Stop (Esc)`
export const stop = t`Stop`
export const offline = t`You are offline`
export const offlineHint = t`You are offline. Messages can be sent when the connection is back.`
export const respondHint = t`Respond above to continue, or press Esc to stop`
export const replyingHint = (assistantName: string) =>
  t`${assistantName} is replying. Your next message waits for the end; Esc stops the reply`
export const keysHint = t`Press Enter to send • Shift + Enter for new line`
export const online = (assistantName: string) => t`${assistantName} Online`

// quote-button
export const quote = t`Quote`
