import type { Attachment } from '#shared/contracts/files.ts'
import type { ChatState } from './chat-state.ts'
import type { Conversation } from './conversation.ts'
import { ReplyNotices } from './reply-notices.tsx'
import { ReplyText } from './reply-text.tsx'
import { isDocument } from '#shared/file-kinds.ts'
import { MessageFiles, QuestionCards, ToolLines } from './message-parts.tsx'
import { ThinkingIndicator } from './thinking-indicator.tsx'
import { thinkingType } from './tools/thinking-type.ts'
import { ReplyTurn } from './turn.tsx'
import { useConversationState } from './use-conversation-state.ts'

/** The reply that is awaited or written; the only part of the page that changes with every word. */
export function StreamingReply({
  conversation,
  assistantName,
  onOpenImage,
}: {
  conversation: Conversation
  assistantName: string
  onOpenImage: (image: Attachment) => void
}) {
  const text = useConversationState(conversation, (state) => state.streamingText)
  const connected = useConversationState(conversation, (state) => state.connected)
  const turn = useConversationState(conversation, (state) => state.turn)
  const asked = useConversationState(conversation, askedFiles)
  const questions = turn?.questions ?? []
  const tools = (turn?.tools ?? []).filter(({ id }) => !questions.some(({ call_id }) => call_id === id))
  const running = tools.some(({ status }) => status === 'running')
  const { reading } = turn ?? {}
  return (
    <ReplyTurn
      assistantName={assistantName}
      busy={questions.length === 0}
      thinking={questions.length === 0 && text === ''}
    >
      {turn && <ReplyNotices notices={turn.notices} />}
      {tools.length > 0 && <ToolLines tools={tools} />}
      {text !== '' && <ReplyText text={text} streaming />}
      {turn && turn.attachments.length > 0 && (
        <MessageFiles files={turn.attachments} onOpenImage={onOpenImage} />
      )}
      {questions.length > 0 ? (
        <QuestionCards conversation={conversation} questions={questions} assistantName={assistantName} />
      ) : (
        (text === '' || running) && (
          <ThinkingIndicator
            assistantName={assistantName}
            type={thinkingType(tools, asked)}
            document={running ? undefined : (reading?.name ?? asked.find(isDocument)?.name)}
            progress={reading && reading.total > 1 ? reading.done / reading.total : undefined}
          />
        )
      )}
      {!connected && (
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

/** The files of the message that is being answered. */
function askedFiles({ messages, turn }: ChatState): readonly Attachment[] {
  return messages.findLast(({ id }) => id === turn?.messageId)?.attachments ?? noFiles
}
