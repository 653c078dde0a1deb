import type { ReactNode } from 'react'
import type { Attachment } from '#shared/contracts/files.ts'
import { isContinuable, type ChatMessage } from '../state/chat-message.ts'
import type { ErrorDetails } from '../../../lib/api/error-details.ts'
import type { ShownError } from '../state/conversation-parts.ts'
import type { Conversation } from '../state/conversation.ts'
import { findEditInputKey } from './edit-message.ts'
import { MessageBoundary } from './message-boundary.tsx'
import type { MessageRowProps } from './message-row.ts'
import { ReplyRow } from './reply-row.tsx'
import { UserMessage } from './user-message.tsx'
import { anchorsScrolling } from './use-preserved-scroll-position.ts'

/** How many of the last messages are always laid out, so that the end of the page does not move. */
const alwaysLaidOutCount = 8

/** What the rows of a conversation depend on besides their own message. */
export interface RowContext {
  conversation: Conversation
  assistantName: string
  /** identifies the conversation in the stored drafts */
  draftKey: string
  /** all loaded messages */
  messages: readonly ChatMessage[]
  /** the last of them, which are rendered */
  visibleMessages: readonly ChatMessage[]
  isReplying: boolean
  isTemporary: boolean
  /** the user message of the pending reply */
  pendingMessageId: string | undefined
  error: ShownError | null
  /** the user message whose sending can be retried */
  retryableMessage: ChatMessage | undefined
  /** why it has to be retried, if that is known */
  failureReason: string | undefined
  failureDetails: ErrorDetails | undefined
  /** whether there are messages before the loaded ones */
  hasEarlier: boolean
  onResend: Conversation['resend']
  onOpenImage: (image: Attachment) => void
  onContinue: (reply: ChatMessage) => void
}

/**
 * Renders the row of a message. A function and not a component: the rows are siblings with keys of their own.
 * @param message undefined for the pending reply
 * @param index in `visibleMessages`; that of the pending reply is their number
 */
export function renderMessageRow(
  context: RowContext,
  message: ChatMessage | undefined,
  index: number,
): ReactNode {
  if (!message) return renderPendingRow(context, index)
  return message.role === 'assistant'
    ? renderReplyRow(context, message, index)
    : renderUserRow(context, message, index)
}

function renderPendingRow(context: RowContext, index: number): ReactNode {
  const { conversation, assistantName, onResend, onOpenImage } = context
  return (
    <MessageBoundary
      key={getReplyKey(context, index)}
      conversation={conversation}
      message={undefined}
      assistantName={assistantName}
    >
      <ReplyRow
        conversation={conversation}
        message={undefined}
        assistantName={assistantName}
        versionedMessage={findMessageWithVersions(context, index)}
        deferLayout={false}
        isLast={false}
        onResend={onResend}
        onOpenImage={onOpenImage}
      />
    </MessageBoundary>
  )
}

function renderReplyRow(context: RowContext, message: ChatMessage, index: number): ReactNode {
  const { conversation, assistantName, messages, isReplying, error, retryableMessage } = context
  const { pendingMessageId, onResend } = context
  const { isLast, ...row } = getSharedProps(context, message, index)
  const previous = context.visibleMessages[index - 1]
  const versionedMessage = findMessageWithVersions(context, index)
  const lastUserMessage = messages.findLast(({ role }) => role === 'user')
  const canResend =
    lastUserMessage !== undefined &&
    (lastUserMessage.content !== '' || lastUserMessage.attachments.some(({ isDeleted }) => !isDeleted))
  const messageToResend = isLast && canResend ? lastUserMessage : undefined
  const isReplyToPrevious = previous?.role === 'user' && previous.id !== pendingMessageId
  return (
    <MessageBoundary
      key={isReplyToPrevious ? getReplyKey(context, index) : message.id}
      conversation={conversation}
      message={message}
      assistantName={assistantName}
    >
      <ReplyRow
        conversation={conversation}
        message={message}
        assistantName={assistantName}
        {...row}
        isLast={isLast}
        isEndingTold={isLast && error?.messageId !== undefined && error.messageId === retryableMessage?.id}
        messageToResend={messageToResend}
        versionedMessage={versionedMessage}
        // only the switcher needs it: other rows do not render again
        isReplying={versionedMessage && isReplying}
        onContinue={isLast && isContinuable(message) ? () => context.onContinue(message) : undefined}
        // a reply that is unfinished, but did not fail, becomes an earlier version when it is written anew
        onRetry={
          row.onRetry ??
          (isLast && message.ended && messageToResend && !error
            ? () => onResend(messageToResend.id, messageToResend.content)
            : undefined)
        }
      />
    </MessageBoundary>
  )
}

function renderUserRow(context: RowContext, message: ChatMessage, index: number): ReactNode {
  const { conversation, assistantName, draftKey, messages, isReplying, isTemporary, hasEarlier } = context
  const row = getSharedProps(context, message, index)
  const next = context.visibleMessages[index + 1]
  const isRefused = message.unacknowledged && !row.isLast && !isReplying
  return (
    <MessageBoundary
      key={message.versions ? getVersionsKey(messages, message) : message.id}
      conversation={conversation}
      message={message}
      assistantName={assistantName}
    >
      <UserMessage
        message={message}
        {...row}
        {...(isRefused && {
          onRetry: () => conversation.retry(message.id),
          failureReason: message.refusal,
          failureDetails: message.failure,
        })}
        hasReply={next?.role === 'assistant' || (isReplying && !next)}
        isUnanswered={!message.unacknowledged && next?.role === 'user'}
        editInputKey={findEditInputKey(draftKey, { messages, hasEarlier }, message)}
        isReplying={isReplying}
        isTemporary={isTemporary}
      />
    </MessageBoundary>
  )
}

/** The props that the rows of user messages and of replies have in common. */
function getSharedProps(context: RowContext, message: ChatMessage, index: number): MessageRowProps {
  const { conversation, messages, visibleMessages, error, retryableMessage } = context
  const isLast = message.id === messages.at(-1)?.id && !context.isReplying
  // an error below it has a button of its own, unless the reply can be continued
  const canRetry = isLast && retryableMessage && (!error || isContinuable(message))
  return {
    deferLayout: anchorsScrolling() && index < visibleMessages.length - alwaysLaidOutCount,
    isLast,
    onResend: context.onResend,
    onOpenImage: context.onOpenImage,
    ...(canRetry && {
      onRetry: () => conversation.retry(),
      failureReason: error ? undefined : context.failureReason,
      failureDetails: error ? undefined : (context.failureDetails ?? message.failure),
    }),
  }
}

/** The user message above a row, if it has versions: its reply shows the switcher. */
function findMessageWithVersions({ visibleMessages }: RowContext, index: number): ChatMessage | undefined {
  const previous = visibleMessages[index - 1]
  return previous?.versions && previous
}

/** The key of the row below a user message: the same while the reply streams and when it is finished, and for all its versions. */
function getReplyKey(context: RowContext, index: number): string {
  const { messages, visibleMessages, pendingMessageId } = context
  const versionedMessage = findMessageWithVersions(context, index)
  if (versionedMessage) return `reply, ${getVersionsKey(messages, versionedMessage)}`
  const previous = visibleMessages[index - 1]
  return `reply to ${previous?.role === 'user' ? previous.id : pendingMessageId}`
}

/** The key of a message with versions, the same for all of them, so that the focus stays on the switcher. */
const getVersionsKey = (messages: readonly ChatMessage[], message: ChatMessage): string =>
  `versions after ${messages[messages.indexOf(message) - 1]?.id}`
