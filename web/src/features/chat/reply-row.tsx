import { memo } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { isUnsaved, type ChatMessage } from './chat-message.ts'
import type { Conversation } from './conversation.ts'
import { renderReply, type MessageRowProps } from './message-row.tsx'
import { idle } from './pending-reply.ts'
import { ReplyRating } from './reply-rating.tsx'
import { renderPendingReply } from './pending-reply-view.tsx'
import { useConversationState } from './use-conversation-state.ts'

interface ReplyRowProps extends Omit<MessageRowProps, 'message' | 'onOpenImage' | 'actions'> {
  conversation: Conversation
  /** undefined while the reply is awaited or written */
  message: ChatMessage | undefined
  onOpenImage: (image: Attachment) => void
}

/** The service has it, and it is more than the line after a stop. */
const isRateable = (message: ChatMessage) => !isUnsaved(message) && message.content !== stoppedLine

/** A reply, while it is written and when it is finished: its text stays on the page as it is when it ends. */
export const ReplyRow = memo(function ReplyRow({ conversation, message, ...props }: ReplyRowProps) {
  const text = useConversationState(conversation, (state) => (message ? '' : state.streamingText))
  const pending = useConversationState(conversation, (state) => (message ? idle : state.pending))
  const kept = useConversationState(conversation, (state) => state.kept)
  const actions = message && kept && isRateable(message) && (
    <ReplyRating conversation={conversation} message={message} />
  )
  return message
    ? renderReply({ message, ...props, actions })
    : renderPendingReply({ conversation, pending, text, ...props })
})
