import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { Attachment } from '#shared/contracts/files.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { maxReplyCharacters } from '#shared/limits.ts'
import { isContinuable, type ChatMessage } from '../state/chat-message.ts'
import { findRetryableMessage } from '../state/conversation-state.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import { needsDaySeparator, DaySeparator, Separator, useToday } from './day-separator.tsx'
import { findEditInputKey } from './edit-message.ts'
import { ErrorBlock } from './error-block.tsx'
import { MessageBoundary } from './message-boundary.tsx'
import { MessageRow } from './message-row.tsx'
import { getRetryLabel } from './user-message.tsx'
import { getActiveReply } from '../state/pending-reply.ts'
import { PreviewHost } from '../preview/preview-host.tsx'
import { QuoteButton } from '../composer/quote-button.tsx'
import { ReplyAnnouncer } from './reply-announcer.tsx'
import { ReplyRow } from './reply-row.tsx'
import { ReplyLayout } from './message-layout.tsx'
import { useFindMessage } from './use-find-message.ts'
import { anchorsScrolling, usePreservedScrollPosition } from './use-preserved-scroll-position.ts'
import { EarlierMessages } from './earlier-messages.tsx'

const ConversationPreview = lazyComponent(
  () => import('../preview/preview-panel.tsx'),
  'ConversationPreview',
  null,
)

/** How many messages are rendered at first, and added each time that the user scrolls to the top. */
const pageSize = 30
/** How many of the last messages are always laid out, so that the end of the page does not move. */
const alwaysLaidOutCount = 8
/** How many messages are rendered above one that was found. */
const messagesAboveFound = 5

/** The messages, the pending reply and the error of a conversation. */
export function MessageList({
  conversation,
  assistantName,
  scroller,
  draftKey,
  onResend,
  onOpenImage,
  onSend,
  onSignIn,
}: {
  conversation: Conversation
  assistantName: string
  scroller: RefObject<HTMLElement | null>
  /** of what is entered in the conversation */
  draftKey: string
  onResend: Conversation['resend']
  onOpenImage: (image: Attachment) => void
  onSend: (text: string) => boolean
  onSignIn: () => void
}) {
  const messages = useConversationState(conversation, (state) => state.messages)
  const isReplying = useConversationState(conversation, (state) => state.isReplying)
  const pendingMessageId = useConversationState(
    conversation,
    (state) => getActiveReply(state.pending)?.messageId,
  )
  const error = useConversationState(conversation, (state) => state.error)
  const isTemporary = useConversationState(conversation, (state) => state.isTemporary)
  const retryableMessage = useConversationState(conversation, findRetryableMessage)
  const failureReason = useConversationState(conversation, (state) => state.failureReason)
  const hasEarlier = useConversationState(conversation, (state) => state.previousCursor !== null)
  const today = useToday()
  const [visibleCount, setVisibleCount] = useState(pageSize)

  useEffect(() => {
    // print all loaded messages; the layout happens as soon as this returns
    let before: number | undefined
    const showAll = () =>
      flushSync(() =>
        setVisibleCount((count) => {
          before ??= count
          return Infinity
        }),
      )
    const showAsBefore = () => {
      const count = before
      before = undefined
      if (count !== undefined) setVisibleCount(count)
    }
    addEventListener('beforeprint', showAll)
    addEventListener('afterprint', showAsBefore)
    return () => {
      removeEventListener('beforeprint', showAll)
      removeEventListener('afterprint', showAsBefore)
    }
  }, [])

  const continueReply = ({ content }: ChatMessage) => {
    if (content.length < maxReplyCharacters) conversation.continueReply()
    else onSend(t`Please continue.`)
  }
  const hasAnchoring = anchorsScrolling()
  const visibleMessages = messages.slice(-visibleCount)
  const rows = useRef<HTMLDivElement>(null)
  useFindMessage(
    conversation,
    rows,
    scroller,
    useCallback((fromEnd) => setVisibleCount((count) => Math.max(count, fromEnd + messagesAboveFound)), []),
  )
  usePreservedScrollPosition(scroller, rows, visibleMessages[0]?.id)
  const lastId = messages.at(-1)?.id
  const contextStart = findContextStart(messages)
  const lastUserMessage = messages.findLast(({ role }) => role === 'user')
  const hasFiles = lastUserMessage?.attachments.some(({ isDeleted }) => !isDeleted)
  const renderRow = (message: ChatMessage | undefined, index: number) => {
    const shared = { conversation, message, assistantName }
    const previous = visibleMessages[index - 1]
    const versionsOf = previous?.versions && previous
    const replyKey = versionsOf
      ? `reply, ${getVersionsKey(messages[messages.indexOf(versionsOf) - 1]?.id)}`
      : getReplyKey(previous?.role === 'user' ? previous.id : pendingMessageId)
    if (!message)
      return (
        <MessageBoundary key={replyKey} {...shared}>
          <ReplyRow
            {...shared}
            message={undefined}
            versionsOf={versionsOf}
            deferLayout={false}
            isLast={false}
            onOpenImage={onOpenImage}
          />
        </MessageBoundary>
      )
    const isLast = message.id === lastId && !isReplying
    const row = {
      message,
      assistantName,
      deferLayout: hasAnchoring && index < visibleMessages.length - alwaysLaidOutCount,
      isLast,
      onResend,
      onOpenImage,
      ...(isLast &&
        retryableMessage &&
        // an error beside it has its own button, unless the reply can be continued
        (!error || isContinuable(message)) && {
          onRetry: () => conversation.retry(),
          failureReason: error ? undefined : failureReason,
        }),
      isEndingTold: isLast && error?.messageId !== undefined && error.messageId === retryableMessage?.id,
    }
    if (message.role === 'assistant') {
      const messageToResend = isLast && (hasFiles || lastUserMessage?.content) ? lastUserMessage : undefined
      return (
        <MessageBoundary
          key={previous?.role === 'user' && previous.id !== pendingMessageId ? replyKey : message.id}
          {...shared}
        >
          <ReplyRow
            conversation={conversation}
            {...row}
            messageToResend={messageToResend}
            versionsOf={versionsOf}
            isReplying={versionsOf && isReplying}
            onContinue={isLast && isContinuable(message) ? () => continueReply(message) : undefined}
            // one that ended by itself, or was stopped, becomes an earlier version
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
    const next = visibleMessages[index + 1]
    return (
      <MessageBoundary
        key={message.versions ? getVersionsKey(messages[messages.indexOf(message) - 1]?.id) : message.id}
        {...shared}
      >
        <MessageRow
          {...row}
          {...(message.unacknowledged &&
            !isLast &&
            !isReplying && {
              onRetry: () => conversation.retry(message.id),
              failureReason: message.refusal,
            })}
          hasReply={next?.role === 'assistant' || (isReplying && !next)}
          isUnanswered={!message.unacknowledged && next?.role === 'user'}
          editInputKey={findEditInputKey(draftKey, { messages, hasEarlier }, message)}
          isReplying={isReplying}
        />
      </MessageBoundary>
    )
  }
  const findPreviewPlace = useCallback(() => scroller.current?.parentElement?.parentElement, [scroller])
  return (
    <PreviewHost
      getPreviewContainer={findPreviewPlace}
      renderPanel={(opened) => <ConversationPreview conversation={conversation} {...opened} />}
    >
      <h1 className="sr-only">{t`Conversation`}</h1>
      <EarlierMessages
        conversation={conversation}
        hiddenCount={messages.length - visibleMessages.length}
        scroller={scroller}
        onShow={() => setVisibleCount((count) => count + pageSize)}
      />
      <div ref={rows} className="relative">
        {[...visibleMessages, ...(isReplying ? [undefined] : [])].flatMap((message, index) => {
          const row = renderRow(message, index)
          const previous = messages[messages.length - visibleMessages.length + index - 1]
          if (!message) return [row]
          return [
            needsDaySeparator(message, previous, hasEarlier, today) && (
              <DaySeparator key={`day of ${message.id}`} timestamp={message.timestamp} today={today} />
            ),
            message.id === contextStart && (
              <Separator
                key={`context from ${message.id}`}
                label={
                  isTemporary
                    ? t`The messages above no longer fit. The assistant no longer sees them.`
                    : t`The messages above no longer fit. The assistant works from a summary of them.`
                }
              />
            ),
            row,
          ]
        })}
        {error && (
          <ReplyLayout assistantName={assistantName}>
            <ErrorBlock
              error={error}
              // what can be continued says so itself
              onRetry={
                retryableMessage && !isContinuable(messages.at(-1)!) ? () => conversation.retry() : undefined
              }
              retryLabel={retryableMessage && getRetryLabel(retryableMessage)}
              onSignIn={onSignIn}
            />
          </ReplyLayout>
        )}
        <QuoteButton rows={rows} />
      </div>
      <ReplyAnnouncer conversation={conversation} />
    </PreviewHost>
  )
}

/** The id of the first message that the model was sent for the newest reply; undefined if all of them fitted. */
function findContextStart(messages: readonly ChatMessage[]): string | undefined {
  const index = messages.findLastIndex(({ usage }) => usage)
  const { contextStart, contextTurns } = messages[index]?.usage ?? {}
  if (contextStart !== undefined || contextTurns === undefined) return contextStart
  return messages
    .slice(0, index)
    .filter(({ role, unacknowledged }) => role === 'user' && !unacknowledged)
    .at(-contextTurns)?.id
}

/** The key of a message with versions, the same for all of them: the focus stays on the switcher. */
const getVersionsKey = (beforeId: string | undefined) => `versions after ${beforeId}`

/** The key of the reply to a message, the same while it streams and when it is finished. */
const getReplyKey = (messageId: string | undefined) => `reply to ${messageId}`
