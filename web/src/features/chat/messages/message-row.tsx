import { memo } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import type { Conversation } from '../state/conversation.ts'
import { renderReply } from './finished-reply.tsx'
import { UserMessage } from './user-message.tsx'

export interface MessageRowProps {
  message: ChatMessage
  assistantName: string
  /** far from the end: laid out when it comes near the screen */
  deferLayout: boolean
  /** time and actions are always visible; otherwise on hover, on focus and on touch screens */
  isLast: boolean
  /** of a user message: where its text is kept while it is edited in place; absent where that is not possible */
  editInputKey?: string
  /** nothing can be sent, and no other version be shown, meanwhile */
  isReplying?: boolean | undefined
  onResend?: Conversation['resend']
  onOpenImage?: (image: Attachment) => void
  /** present on the last reply: the user message to send again for another reply */
  messageToResend?: ChatMessage | undefined
  /** present where sending can be retried */
  onRetry?: (() => void) | undefined
  /** a user message that later ones follow without a reply */
  isUnanswered?: boolean
  /** why it has to be retried, translated, if that is known */
  failureReason?: string | undefined
  /** the error block and its toast tell how the reply ended: it does not tell it once more */
  isEndingTold?: boolean | undefined
  /** present on a reply that can be continued */
  onContinue?: (() => void) | undefined
  /** a user message that has a reply, which shows its versions */
  hasReply?: boolean
  /** the user message of a reply, if it has versions */
  versionsOf?: ChatMessage | undefined
}

/** One message with its actions. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  return props.message.role === 'user' ? (
    <UserMessage {...props} editInputKey={props.editInputKey ?? ''} />
  ) : (
    renderReply(props)
  )
})
