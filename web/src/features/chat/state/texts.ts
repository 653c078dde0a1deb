import { t } from '@lingui/core/macro'
import { formatCount } from '../../../lib/locale.ts'

// chat-failure
export const noSession = t`Please sign in again to continue chatting`
export const authenticationFailed = t`Authentication failed. Please refresh the page and sign in again.`
export const connectionLost = t`I'm having trouble connecting to the chat service. Please try refreshing the page or signing in again.`
export const notInitialized = t`Chat service not initialized. Please refresh the page.`
export const serviceError = (message: string) => t`Service error: ${message}`
export const offline = t`You are offline. Press Retry when the connection is back.`
export const withLocalTime = (message: string, time: string) =>
  t`${message} In your time zone it resets at ${time}.`
export const creationFailed = t`Oops! Couldn't create chat`
export const chatError = t`Chat Error`
export const limitReached = t`Limit reached`

// effects
export const lateDecision = t`Your answer came too late`
export const lateDecisionHint = t`The reply was no longer waiting for it.`

// conversations
export const documentError = t`Document Analysis Error`

// notify-too-long
export const tooLong = t`This message is too long`
export const tooLongHint = (max: number) => t`A message can have up to ${formatCount(max)} characters.`
