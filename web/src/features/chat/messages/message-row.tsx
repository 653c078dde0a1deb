import { memo } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import type { Conversation } from '../state/conversation.ts'
import { renderReply } from './finished-reply.tsx'
import { UserMessage } from './user-message.tsx'

/** A message, and what can be done with it. */
export interface MessageRowProps {
  message: ChatMessage
  assistantName: string
  /** whether it is far from the end, and so is laid out only when it comes near the screen */
  deferLayout: boolean
  /** whether its time and actions are always visible; otherwise they are on hover, on focus and on touch screens */
  isLast: boolean
  /** the key under which the text of a user message is stored while it is edited; absent if it cannot be edited */
  editInputKey?: string
  /** whether a reply is pending, so that nothing can be sent and no other version can be shown */
  isReplying?: boolean | undefined
  onResend?: Conversation['resend']
  onOpenImage?: (image: Attachment) => void
  /** only of the last reply: the user message to send again for another reply */
  messageToResend?: ChatMessage | undefined
  /** present if sending can be retried */
  onRetry?: (() => void) | undefined
  /** whether other messages follow a user message that has no reply */
  isUnanswered?: boolean
  /** why it has to be retried, translated, if that is known */
  failureReason?: string | undefined
  /** whether the error block below already says how the reply ended */
  isEndingTold?: boolean | undefined
  /** present if the reply can be continued */
  onContinue?: (() => void) | undefined
  /** whether a user message has a reply, which then shows the switcher of its versions */
  hasReply?: boolean
  /** the user message of a reply, if that has versions */
  versionedMessage?: ChatMessage | undefined
}

/** One message with its actions. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  return props.message.role === 'user' ? (
    <UserMessage {...props} editInputKey={props.editInputKey ?? ''} />
  ) : (
    renderReply(props)
  )
})
