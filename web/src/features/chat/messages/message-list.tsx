import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { Attachment } from '#shared/contracts/files.ts'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { maxReplyCharacters } from '#shared/limits.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import { retryableMessage } from '../state/chat-state.ts'
import type { Conversation } from '../state/conversation.ts'
import { beginsDay, DaySeparator } from './day-separator.tsx'
import { ErrorBlock } from './error-block.tsx'
import { MessageBoundary } from './message-boundary.tsx'
import { MessageRow } from './message-row.tsx'
import { activeReply } from '../state/pending-reply.ts'
import { QuoteButton } from '../composer/quote-button.tsx'
import { ReplyAnnouncer } from './reply-announcer.tsx'
import { ReplyRow } from './reply-row.tsx'
import { ReplyTurn } from './message-layout.tsx'
import { useConversationState } from '../state/conversation.ts'
import { useFindMessage } from './use-find-message.ts'
import { useToday } from './day-separator.tsx'

/** Messages are put on the page this many at a time, from the end upwards. */
const pageOfMessages = 30
/** The last ones are always laid out, so that the end of the page stands still. */
const nearMessages = 8
/** Messages that are put on the page above one that is looked for. */
const shownAbove = 5
/** How a normal message asks for the rest of a reply that is as long as one can be. */
const continueText = 'Please continue.'

/** The conversation (CHAT-10 to CHAT-13): what was said, the reply that is coming, and what went wrong. */
export function MessageList({
  conversation,
  assistantName,
  scroller,
  editingId,
  onEdit,
  onResend,
  onOpenImage,
  onSend,
  onSignIn,
}: {
  conversation: Conversation
  assistantName: string
  scroller: RefObject<HTMLElement | null>
  /** the user's message that is being written anew */
  editingId: string | undefined
  onEdit: (messageId: string | undefined) => void
  onResend: (messageId: string, text: string) => boolean
  onOpenImage: (image: Attachment) => void
  onSend: (text: string) => boolean
  onSignIn: () => void
}) {
  const messages = useConversationState(conversation, (state) => state.messages)
  const isLoading = useConversationState(conversation, (state) => state.isLoading)
  const answered = useConversationState(conversation, (state) => activeReply(state.pending)?.messageId)
  const error = useConversationState(conversation, (state) => state.error)
  const retryable = useConversationState(conversation, retryableMessage)
  const hasEarlier = useConversationState(conversation, (state) => state.earlier !== null)
  const today = useToday()
  const [count, setCount] = useState(pageOfMessages)

  useEffect(() => {
    // paper has all that is known; it is laid out as soon as this returns
    const showAll = () => flushSync(() => setCount(Infinity))
    addEventListener('beforeprint', showAll)
    return () => removeEventListener('beforeprint', showAll)
  }, [])

  const goOn = ({ content }: ChatMessage) => {
    if (content.length < maxReplyCharacters) conversation.goOn()
    else onSend(continueText)
  }
  const anchors = anchorsScrolling()
  const visible = messages.slice(-count)
  const rows = useRef<HTMLDivElement>(null)
  useFindMessage(
    conversation,
    rows,
    scroller,
    useCallback((fromEnd) => setCount((shown) => Math.max(shown, fromEnd + shownAbove)), []),
  )
  usePreservedScrollPosition(scroller, rows, visible[0]?.id)
  const lastId = messages.at(-1)?.id
  const lastUserMessage = messages.findLast(({ role }) => role === 'user')
  const renderRow = (message: ChatMessage | undefined, index: number) => {
    const shared = { conversation, message, assistantName }
    if (!message)
      return (
        <MessageBoundary key={replyKey(answered)} {...shared}>
          <ReplyRow {...shared} message={undefined} far={false} latest={false} onOpenImage={onOpenImage} />
        </MessageBoundary>
      )
    const last = message.id === lastId && !isLoading
    const row = {
      message,
      assistantName,
      far: anchors && index < visible.length - nearMessages,
      latest: last,
      onResend,
      onOpenImage,
      onRetry: last && retryable && !error ? conversation.retry : undefined,
    }
    const before = visible[index - 1]
    if (message.role === 'assistant' && message.actionResult === undefined)
      return (
        <MessageBoundary
          key={before?.role === 'user' && before.id !== answered ? replyKey(before.id) : message.id}
          {...shared}
        >
          <ReplyRow
            conversation={conversation}
            {...row}
            regenerates={last ? lastUserMessage : undefined}
            onContinue={last && message.ended === 'incomplete' ? () => goOn(message) : undefined}
          />
        </MessageBoundary>
      )
    return (
      <MessageBoundary
        key={message.versions ? versionsKey(messages[messages.indexOf(message) - 1]?.id) : message.id}
        {...shared}
      >
        <MessageRow
          {...row}
          editing={message.id === editingId && !isLoading}
          onEdit={isLoading ? undefined : onEdit}
        />
      </MessageBoundary>
    )
  }
  return (
    <>
      <h1 className="sr-only">Conversation</h1>
      <EarlierMessages
        conversation={conversation}
        hidden={messages.length - visible.length}
        scroller={scroller}
        onShow={() => setCount((shown) => shown + pageOfMessages)}
      />
      <div ref={rows} className="relative">
        {[...visible, ...(isLoading ? [undefined] : [])].flatMap((message, index) => {
          const row = renderRow(message, index)
          const previous = messages[messages.length - visible.length + index - 1]
          if (!message || !beginsDay(message, previous, hasEarlier, today)) return [row]
          return [<DaySeparator key={`day of ${message.id}`} at={message.timestamp} today={today} />, row]
        })}
        {error && (
          <ReplyTurn assistantName={assistantName}>
            <ErrorBlock error={error} onRetry={retryable && conversation.retry} onSignIn={onSignIn} />
          </ReplyTurn>
        )}
        <QuoteButton rows={rows} />
      </div>
      <ReplyAnnouncer conversation={conversation} />
    </>
  )
}

/** The place of a message that has versions: the focus stays on the switcher when another one takes it. */
const versionsKey = (beforeId: string | undefined) => `versions after ${beforeId}`

/** The place of the reply to a message, the same while it is written and when it is finished. */
const replyKey = (messageId: string | undefined) => `reply to ${messageId}`

/**
 * Whether the browser keeps what is being read in view when something above it changes. Without that, rows that are not laid
 * out yet would move it when they are.
 */
const anchorsScrolling = () => typeof CSS === 'undefined' || CSS.supports('overflow-anchor', 'auto')

/**
 * Keeps what is being read where it is when rows come above it. Most browsers do that by themselves (scroll anchoring); Safari
 * before 27 does not.
 * @param firstId names the first row
 */
function usePreservedScrollPosition(
  scroller: RefObject<HTMLElement | null>,
  rows: RefObject<HTMLElement | null>,
  firstId: string | undefined,
) {
  const first = useRef<{ row: HTMLElement; top: number }>(undefined)
  useLayoutEffect(() => {
    const before = first.current
    const row = rows.current?.firstElementChild
    first.current = row instanceof HTMLElement ? { row, top: row.offsetTop } : undefined
    const node = scroller.current
    if (!node || !before?.row.isConnected || anchorsScrolling()) return
    scrollDown(node, before.row.offsetTop - before.top)
  }, [scroller, rows, firstId])
}

function scrollDown(node: HTMLElement, px: number) {
  node.scrollTop += px
}

/** At the top: shows more of what is known, then reads more of what is stored, when one scrolls there. */
function EarlierMessages({
  conversation,
  hidden,
  scroller,
  onShow,
}: {
  conversation: Conversation
  hidden: number
  scroller: RefObject<HTMLElement | null>
  onShow: () => void
}) {
  const earlier = useConversationState(conversation, (state) => state.earlier)
  const [failed, setFailed] = useState(false)
  const [loading, setLoading] = useState(false)
  const mark = useRef<HTMLDivElement>(null)
  const more = hidden > 0 || earlier !== null

  const load = () => {
    if (loading) return
    setFailed(false)
    setLoading(true)
    conversation
      .loadEarlier()
      .then(onShow, () => setFailed(true))
      .finally(() => setLoading(false))
  }
  const show = useRef(() => {})
  useEffect(() => {
    show.current = () => {
      leaveTop(scroller.current)
      if (hidden > 0) onShow()
      else if (!failed) load()
    }
  })
  useEffect(() => {
    if (!mark.current || !more || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      // a busy browser reports what was before along with what is
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) show.current()
      },
      { root: scroller.current, rootMargin: '600px 0px 0px' },
    )
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [more, hidden, earlier, scroller])

  if (!more) return null
  return (
    <div ref={mark} className="flex justify-center pb-6 text-sm text-ink-muted">
      {failed ? (
        <button type="button" className="link font-medium" onClick={load}>
          Load earlier messages
        </button>
      ) : (
        <span className="inline-flex items-center gap-2">
          <Spinner /> Earlier messages
        </span>
      )}
    </div>
  )
}

/** At the very top the browser would keep the top in view, and not what is being read, when something comes above it. */
function leaveTop(node: HTMLElement | null) {
  if (node?.scrollTop === 0) node.scrollTop = 1
}
