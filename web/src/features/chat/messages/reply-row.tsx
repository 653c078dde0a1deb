import { memo, type ReactNode } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { isUnsaved, type ChatMessage } from '../state/chat-message.ts'
import { type Conversation, useConversationState } from '../state/conversation.ts'
import { renderReply, type MessageRowProps, ReplyNotices } from './message-row.tsx'
import { idle, activeReply, type PendingReply } from '../state/pending-reply.ts'
import { ReplyRating } from './reply-rating.tsx'
import { ReplyText } from '../markdown/reply-text.tsx'
import { isDocument } from '#shared/file-kinds.ts'
import { MessageFiles, QuestionCards, ToolLines } from './message-parts.tsx'
import { ThinkingIndicator } from './thinking-indicator.tsx'
import { thinkingType } from '../tools/thinking-type.ts'
import { ReplyTurn } from './message-layout.tsx'

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
  const isSaved = useConversationState(conversation, (state) => state.isSaved)
  const actions = message && isSaved && isRateable(message) && (
    <ReplyRating conversation={conversation} message={message} />
  )
  return message
    ? renderReply({ message, ...props, actions })
    : renderPendingReply({ conversation, pending, text, ...props })
})

/** The reply that is awaited or written. A function and no component, as `renderReply`. */
export function renderPendingReply({
  conversation,
  pending,
  text,
  assistantName,
  onOpenImage,
}: {
  conversation: Conversation
  pending: PendingReply
  /** what is shown of it */
  text: string
  assistantName: string
  onOpenImage: (image: Attachment) => void
}): ReactNode {
  const reply = activeReply(pending)
  const asked = reply?.message?.attachments ?? noFiles
  const questions = reply?.questions ?? []
  const tools = (reply?.tools ?? []).filter(({ id }) => !questions.some(({ call_id }) => call_id === id))
  const running = tools.some(({ status }) => status === 'running')
  const progress = pending.status === 'reading-documents' ? pending.progress : undefined
  return (
    <ReplyTurn
      assistantName={assistantName}
      busy={questions.length === 0}
      thinking={questions.length === 0 && text === ''}
    >
      {reply && <ReplyNotices notices={reply.notices} />}
      {tools.length > 0 && <ToolLines tools={tools} />}
      {text !== '' && <ReplyText text={text} streaming />}
      {reply && reply.attachments.length > 0 && (
        <MessageFiles files={reply.attachments} onOpenImage={onOpenImage} />
      )}
      {questions.length > 0 ? (
        <QuestionCards conversation={conversation} questions={questions} assistantName={assistantName} />
      ) : (
        (text === '' || running) && (
          <ThinkingIndicator
            assistantName={assistantName}
            type={thinkingType(tools, asked)}
            document={running ? undefined : (progress?.name ?? asked.find(isDocument)?.name)}
            progress={progress && progress.total > 1 ? progress.done / progress.total : undefined}
          />
        )
      )}
      {reply?.connected === false && (
        <p role="status" className="text-sm text-ink-muted">
          The connection was lost. Looking for it again...
        </p>
      )}
      {/* the place of the actions, which come when the reply is finished */}
      <div aria-hidden className="-mt-2 h-7 max-sm:-mt-1.5 max-sm:h-9" />
    </ReplyTurn>
  )
}

const noFiles: readonly Attachment[] = []
