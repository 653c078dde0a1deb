import { t } from '@lingui/core/macro'
import {
  useCallback,
  useRef,
  useState,
  useEffect,
  type ReactNode,
  type RefObject,
  type Dispatch,
  type SetStateAction,
} from 'react'
import { flushSync } from 'react-dom'
import type { Attachment } from '#shared/contracts/files.ts'
import { maxReplyCharacters } from '#shared/limits.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { isContinuable, type ChatMessage } from '../state/chat-message.ts'
import { findRetryableMessage } from '../state/conversation-state.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import { getActiveReply } from '../state/pending-reply.ts'
import { PreviewHost } from '../preview/preview-host.tsx'
import { QuoteButton } from '../composer/quote-button.tsx'
import { needsDaySeparator, DaySeparator } from './day-separator.tsx'
import { ErrorBlock } from './error-block.tsx'
import { renderMessageRow, type RowContext } from './render-message-row.tsx'
import { findRetryLabel } from './user-message.tsx'
import { ReplyAnnouncer } from './reply-announcer.tsx'
import { ReplyLayout } from './message-layout.tsx'
import { useFindMessage } from './use-find-message.ts'
import { usePreservedScrollPosition } from './use-preserved-scroll-position.ts'
import { EarlierMessages } from './earlier-messages.tsx'
import { Separator } from './separator.tsx'

const FailedAttempt = lazyComponent(() => import('./failed-attempt.tsx'), 'FailedAttempt', null)
const ConversationPreview = lazyComponent(
  () => import('../preview/preview-panel.tsx'),
  'ConversationPreview',
  null,
)

/** How many messages are rendered at first, and added each time that the user comes near the top: several screens, which render fast. */
const pageSize = 30
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
  /** identifies the conversation in the stored drafts */
  draftKey: string
  onResend: Conversation['resend']
  onOpenImage: (image: Attachment) => void
  onSend: (text: string) => boolean
  onSignIn: () => void
}) {
  const rowState = useRowState(conversation)
  const { messages, attempts, error, retryableMessage } = rowState
  const [visibleCount, setVisibleCount] = useState(pageSize)

  useAllMessagesInPrint(setVisibleCount)
  const visibleMessages = messages.slice(-visibleCount)
  const rows = useRef<HTMLDivElement>(null)
  useFindMessage(
    conversation,
    rows,
    scroller,
    useCallback((fromEnd) => setVisibleCount((count) => Math.max(count, fromEnd + messagesAboveFound)), []),
  )
  usePreservedScrollPosition(scroller, rows, visibleMessages[0]?.id)
  const continueReply = ({ content }: ChatMessage) => {
    // A reply of the greatest length cannot be continued, so another message asks for the rest. Cut before half of an emoji, it is one shorter.
    if (content.length < maxReplyCharacters - 1) conversation.continueReply()
    else onSend(t`Please continue.`)
  }
  const last = messages.at(-1)
  // a reply that can be continued has a button of its own
  const canRetryBesideError = retryableMessage && last && !isContinuable(last)
  const rowContext: RowContext & { attempts: readonly ChatMessage[] } = {
    ...rowState,
    conversation,
    assistantName,
    draftKey,
    visibleMessages,
    onResend,
    onOpenImage,
    onContinue: continueReply,
  }
  const attemptError = attempts.find(({ id }) => id === error?.messageId) && error
  // the preview stands beside the scrolled messages and the composer
  const getPreviewContainer = useCallback(() => scroller.current?.parentElement?.parentElement, [scroller])
  return (
    <PreviewHost
      getPreviewContainer={getPreviewContainer}
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
        <MessageRows
          context={rowContext}
          renderAttempt={(attempt, replaced) => (
            <FailedAttempt
              key={`attempt ${attempt.id}`}
              attempt={attempt}
              replaced={replaced}
              error={attempt.id === attemptError?.messageId ? attemptError : undefined}
              assistantName={assistantName}
              onRetry={rowState.isReplying ? undefined : () => conversation.retry(attempt.id)}
              onSignIn={onSignIn}
              onOpenImage={onOpenImage}
            />
          )}
        />
        {error && !attemptError && (
          <ReplyLayout assistantName={assistantName}>
            <ErrorBlock
              error={error}
              onRetry={canRetryBesideError ? () => conversation.retry() : undefined}
              retryLabel={retryableMessage && findRetryLabel(retryableMessage)}
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

function useRowState(conversation: Conversation) {
  return {
    messages: useConversationState(conversation, (state) => state.messages),
    attempts: useConversationState(conversation, (state) => state.attempts),
    isReplying: useConversationState(conversation, (state) => state.isReplying),
    isTemporary: useConversationState(conversation, (state) => state.isTemporary),
    pendingMessageId: useConversationState(conversation, ({ pending }) => getActiveReply(pending)?.messageId),
    error: useConversationState(conversation, (state) => state.error),
    retryableMessage: useConversationState(conversation, findRetryableMessage),
    failureReason: useConversationState(conversation, (state) => state.failureReason),
    failureDetails: useConversationState(conversation, (state) => state.failureDetails),
    hasEarlier: useConversationState(conversation, (state) => state.previousCursor !== null),
  }
}

/** The rows of the rendered messages and of the pending reply, with the separators between them. */
function MessageRows({
  context,
  renderAttempt,
}: {
  context: RowContext & { attempts: readonly ChatMessage[] }
  renderAttempt: (attempt: ChatMessage, replaced: ChatMessage) => ReactNode
}) {
  const { messages, attempts, visibleMessages, isReplying, isTemporary, hasEarlier } = context
  const today = useToday()
  const contextStart = findContextStart(messages)
  return [...visibleMessages, ...(isReplying ? [undefined] : [])].flatMap((message, index) => {
    const row = renderMessageRow(context, message, index)
    const previous = messages[messages.length - visibleMessages.length + index - 1]
    if (!message) return [row]
    // the last message of a turn
    const isTurnEnd = visibleMessages[index + 1]?.role !== 'assistant'
    const asked =
      attempts.length > 0 && isTurnEnd
        ? visibleMessages.slice(0, index + 1).findLast(({ role }) => role === 'user')
        : undefined
    return [
      needsDaySeparator(message, previous, { hasEarlier, today }) && (
        <DaySeparator key={`day of ${message.id}`} timestamp={message.timestamp} today={today} />
      ),
      message.id === contextStart && (
        <ContextSeparator key={`context from ${message.id}`} isTemporary={isTemporary} />
      ),
      row,
      ...(asked ? attempts.filter(({ replaces }) => replaces === asked.id) : []).map(
        (attempt) => asked && renderAttempt(attempt, asked),
      ),
    ]
  })
}

/** Stands above the first message that the model still sees. A temporary chat has no summary of those before. */
function ContextSeparator({ isTemporary }: { isTemporary: boolean }) {
  return (
    <Separator
      label={
        isTemporary
          ? t`The messages above no longer fit. The assistant no longer sees them.`
          : t`The messages above no longer fit. The assistant has at most a summary of them.`
      }
    />
  )
}

/** The id of the first message that the model was sent for the newest reply of which that is known; undefined if it was sent all messages. */
function findContextStart(messages: readonly ChatMessage[]): string | undefined {
  const index = messages.findLastIndex(({ usage }) => usage)
  const { contextStart, contextTurns } = messages[index]?.usage ?? {}
  if (contextStart !== undefined || contextTurns === undefined) return contextStart
  return messages
    .slice(0, index)
    .filter(({ role, unacknowledged }) => role === 'user' && !unacknowledged)
    .at(-contextTurns)?.id
}

/** Renders all loaded messages while the page is printed, and as many as before afterwards. */
function useAllMessagesInPrint(setVisibleCount: Dispatch<SetStateAction<number>>): void {
  useEffect(() => {
    let countBefore: number | undefined
    // the browser lays out the page as soon as this returns
    const showAll = () =>
      flushSync(() =>
        setVisibleCount((count) => {
          countBefore ??= count
          return Infinity
        }),
      )
    const restore = () => {
      const count = countBefore
      countBefore = undefined
      if (count !== undefined) setVisibleCount(count)
    }
    addEventListener('beforeprint', showAll)
    addEventListener('afterprint', restore)
    return () => {
      removeEventListener('beforeprint', showAll)
      removeEventListener('afterprint', restore)
    }
  }, [setVisibleCount])
}

const updateEveryMs = 60_000

/** Midnight in the time zone of the browser. */
const getStartOfToday = () => new Date().setHours(0, 0, 0, 0)

/** The start of the current day, in milliseconds since 1970. It changes within a minute after midnight. */
function useToday(): number {
  const [today, setToday] = useState(getStartOfToday)
  useEffect(() => {
    const update = () => setToday(getStartOfToday())
    const timer = setInterval(update, updateEveryMs)
    // timers stop in a sleeping tab
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [])
  return today
}
