import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  FileText,
  FileUp,
  Image,
  type LucideIcon,
  MessageCircle,
  Search,
  Sparkles,
  Video,
} from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { isDocument } from '#shared/file-kinds.ts'
import { isCallEnded } from '#shared/reply/reply-state.ts'
import { Status } from '../../../components/ui/status.tsx'
import { ReplyFilesContext } from '../markdown/reply-files-context.ts'
import { ReplyText } from '../markdown/reply-text.tsx'
import type { ChatMessage } from '../state/chat-message.ts'
import { type Conversation, useConversationState } from '../state/conversation.ts'
import { getActiveReply, idleReply, type PendingReply } from '../state/pending-reply.ts'
import type { StreamConnection } from '../stream/stream-reply.ts'
import { type ActivityKind, getActivityKind } from '../tools/activity-kind.ts'
import { type FinishedReplyProps, renderReply } from './finished-reply.tsx'
import { ReplyLayout } from './message-layout.tsx'
import {
  ApprovalCards,
  LiveToolCallList,
  MessageFiles,
  PartFiles,
  ReasoningLine,
  SourceList,
} from './message-parts.tsx'
import { ReplyNotices } from './reply-notes.tsx'
import { VersionSwitcher } from './version-switcher.tsx'

const describeAnalysis = (name: string) => (
  <Trans>
    Reading and analyzing "<bdi>{name}</bdi>"...
  </Trans>
)

const icons: Record<ActivityKind, LucideIcon> = {
  chat: MessageCircle,
  image_generation: Image,
  video_generation: Video,
  research: Search,
  file_upload: FileUp,
  document_analysis: FileText,
  other: Sparkles,
}

/**
 * Says what the assistant is doing until the reply has text, and while a tool runs. Without a document it is as high as a line of the reply, so
 * that nothing jumps.
 * @param progress 0 to 1; undefined if it is not known
 */
export function ThinkingIndicator({
  assistantName,
  activityKind,
  documentName,
  progress,
}: {
  assistantName: string
  activityKind: ActivityKind
  /** of the document that is being analysed, which is said instead of the thinking */
  documentName?: string | undefined
  progress?: number | undefined
}) {
  const Icon = icons[activityKind]
  return (
    <Status data-thinking={activityKind}>
      <p className="flex min-h-6.5 items-center gap-2 text-ui text-ink-muted">
        <Icon aria-hidden size={20} strokeWidth={1.75} className="text-accent motion-safe:animate-breathe" />
        {documentName === undefined ? (
          t`${assistantName} is thinking...`
        ) : (
          <span className="font-medium text-ink">{t`Analyzing document...`}</span>
        )}
      </p>
      {documentName !== undefined && (
        <p className="text-ui text-ink-muted wrap-anywhere">{describeAnalysis(documentName)}</p>
      )}
      {progress !== undefined && (
        <progress
          aria-label={t`Progress`}
          value={progress}
          className="mt-1 block h-1.5 w-full max-w-60 accent-accent"
        />
      )}
    </Status>
  )
}

interface ReplyRowProps extends Omit<FinishedReplyProps, 'message'> {
  /** undefined while the reply is pending */
  message: ChatMessage | undefined
}

/** A reply, streaming or finished. Its nodes stay when it ends. */
export const ReplyRow = memo(function ReplyRow({ conversation, message, ...props }: ReplyRowProps) {
  const text = useConversationState(conversation, (state) => (message ? '' : state.streamingText))
  const pending = useConversationState(conversation, (state) => (message ? idleReply : state.pending))
  return message
    ? renderReply({ conversation, message, ...props })
    : renderPendingReply({ conversation, pending, text, ...props })
})

/** Renders the pending reply. A function and not a component, like `renderReply`. */
function renderPendingReply({
  conversation,
  pending,
  text,
  assistantName,
  onOpenImage,
  versionedMessage,
}: {
  conversation: Conversation
  pending: PendingReply
  /** the visible text */
  text: string
  assistantName: string
  onOpenImage: (image: Attachment) => void
  /** the user message, if it has versions, which the reply shows the switcher of */
  versionedMessage?: ChatMessage | undefined
}): ReactNode {
  const reply = getActiveReply(pending)
  const userFiles = reply?.userMessage?.attachments ?? noFiles
  const approvals = reply?.approvals ?? []
  const toolCalls = (reply?.toolCalls ?? []).filter(
    ({ id }) => !approvals.some(({ call_id }) => call_id === id),
  )
  const isToolRunning = toolCalls.some((call) => !isCallEnded(call))
  const readings = reply?.readings ?? []
  const unread = readings.filter(({ reading }) => reading.state === 'pending')
  return (
    <ReplyLayout
      assistantName={assistantName}
      isBusy={approvals.length === 0}
      isThinking={approvals.length === 0 && text === ''}
    >
      {reply && <ReplyNotices notices={reply.notices} />}
      {reply?.reasoning && <ReasoningLine reasoning={reply.reasoning} />}
      {toolCalls.length > 0 && <LiveToolCallList calls={toolCalls} />}
      <ReplyFilesContext value={reply?.attachments ?? noFiles}>
        {text !== '' && <ReplyText text={text} isStreaming />}
      </ReplyFilesContext>
      {reply && reply.sources.length > 0 && <SourceList sources={reply.sources} />}
      {reply && reply.attachments.length > 0 && (
        <MessageFiles files={reply.attachments} onOpenImage={onOpenImage} />
      )}
      {reply?.usage?.partFiles && <PartFiles files={reply.usage.partFiles} calls={reply.toolCalls} />}
      {approvals.length > 0 ? (
        <ApprovalCards conversation={conversation} approvals={approvals} assistantName={assistantName} />
      ) : (
        (isToolRunning || (text === '' && !reply?.reasoning?.isActive)) && (
          <ThinkingIndicator
            assistantName={assistantName}
            activityKind={getActivityKind(toolCalls, userFiles)}
            documentName={isToolRunning ? undefined : (unread[0] ?? userFiles.find(isDocument))?.name}
            progress={unread[0] && readings[1] && 1 - unread.length / readings.length}
          />
        )
      )}
      {reply && <ConnectionNote connection={reply.connection} />}
      {/* reserves the space of the actions of a finished reply */}
      <div className="-mt-2 -ms-1.5 h-7 max-sm:-mt-1.5 max-sm:h-9">
        {versionedMessage && <VersionSwitcher message={versionedMessage} isReplying />}
      </div>
    </ReplyLayout>
  )
}

/** What is wrong with the connection. */
function ConnectionNote({ connection }: { connection: StreamConnection }) {
  const text = describeConnection(connection)
  return text !== undefined && <Status className="text-sm text-ink-muted">{text}</Status>
}

function describeConnection(connection: StreamConnection): string | undefined {
  switch (connection) {
    case 'open':
      return undefined
    case 'crowded':
      return t`Replies are followed in too many tabs. This one appears when another tab is closed or its reply is complete.`
    case 'lost':
      return t`Connection lost. Reconnecting…`
  }
}

const noFiles: readonly Attachment[] = []
