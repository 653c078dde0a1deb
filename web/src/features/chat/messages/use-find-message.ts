import { t } from '@lingui/core/macro'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState, type RefObject } from 'react'
import { useLocation, useSearchParams } from '../../../lib/navigation/router.tsx'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { getErrorMessage, isNotFound } from '../../../lib/api/api-errors.ts'
import { messageParameter } from '../../../lib/navigation/paths.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import { getActiveReply } from '../state/pending-reply.ts'
import { showVersion } from './cache-session-read.ts'

const failureToastId = 'message-not-loaded'

/**
 * Shows the message that the address names: loads earlier pages until it is there, scrolls to it, highlights it for a moment and focuses it.
 * If it belongs to another version, it switches to that version. A toast reports a missing message. Sending a message removes the parameter.
 * @param rows the element with a `data-message` row for each message that is shown
 * @param onShow called before the message is shown, with its position from the end of the messages: 1 for the last one
 */
export function useFindMessage(
  conversation: Conversation,
  rows: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  onShow: (fromEnd: number) => void,
): void {
  const queryClient = useQueryClient()
  const [params, setParams] = useSearchParams()
  // changes when the same message is requested again
  const { key: visit } = useLocation()
  const id = params.get(messageParameter)
  const [foundMessage, setFoundMessage] = useState<{ id: string; visit: string }>()
  const isSending = useConversationState(
    conversation,
    ({ pending }) => getActiveReply(pending)?.userMessage?.unacknowledged === true,
  )
  useEffect(() => {
    if (id === null || !isSending) return
    const others = new URLSearchParams(params)
    others.delete(messageParameter)
    setParams(others, { replace: true })
  }, [id, params, isSending, setParams])
  useEffect(() => {
    if (id === null || isSending) return
    const controller = new AbortController()
    const find = async () => {
      try {
        const fromEnd =
          (await loadMessage(queryClient, conversation, id, controller.signal)) ??
          (await loadOtherVersion(queryClient, conversation, id, controller.signal))
        // the user may have opened another conversation meanwhile
        if (controller.signal.aborted) return
        if (fromEnd === undefined) return notifyMissing()
        onShow(fromEnd)
        setFoundMessage({ id, visit })
      } catch (error) {
        if (controller.signal.aborted) return
        showToast('error', t`The message could not be loaded`, {
          id: failureToastId,
          description: getErrorMessage(error),
          cause: error,
          // nothing else on the page offers to try again
          durationMs: Number.POSITIVE_INFINITY,
          action: { label: t`Try again`, onClick: () => void find() },
        })
      }
    }
    void find()
    return () => {
      controller.abort()
      // its button would do nothing any more
      dismissToast(failureToastId)
    }
  }, [queryClient, conversation, id, visit, isSending, onShow])
  useEffect(() => {
    const row = foundMessage && rows.current?.querySelector(`[data-message="${CSS.escape(foundMessage.id)}"]`)
    return row instanceof HTMLElement && scroller.current ? highlightRow(row, scroller.current) : undefined
  }, [foundMessage, rows, scroller])
}

/** Switches to the version that has the message. @returns like `loadMessage` */
async function loadOtherVersion(
  queryClient: QueryClient,
  conversation: Conversation,
  id: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    await showVersion(queryClient, { sessionId: conversation.id, messageId: id })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
  return loadMessage(queryClient, conversation, id, signal)
}

function notifyMissing() {
  showToast('info', t`Message not found`, {
    description: t`It was changed or deleted. This is the end of the conversation.`,
  })
}

/**
 * Loads earlier pages until a message is there.
 * @returns its position from the end: 1 for the last one; undefined if the conversation has no such message
 * @throws AbortError, or what reading the conversation throws
 */
async function loadMessage(
  queryClient: QueryClient,
  conversation: Conversation,
  id: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const getFromEnd = () => {
    const { messages } = conversation.getState()
    const index = messages.findIndex((message) => message.id === id)
    return index < 0 ? undefined : messages.length - index
  }
  // it may be newer than what is loaded
  if (getFromEnd() === undefined)
    await queryClient.fetchQuery({ ...conversation.query, queryKey: conversation.query.queryKey ?? [] })
  for (;;) {
    signal.throwIfAborted()
    const fromEnd = getFromEnd()
    if (fromEnd !== undefined || conversation.getState().previousCursor === null) return fromEnd
    await conversation.loadEarlier()
  }
}

/** How long a found message is highlighted. */
const highlightMs = 2_500
/** The space above a message that is higher than half of the window. */
const marginPx = 16
/** For so many frames, rows around the message may be laid out for the first time and move it. */
const layoutFrames = 20

const userScrollEvents = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/** Scrolls to a row, focuses it and highlights it for a moment. @returns a cleanup function */
function highlightRow(row: HTMLElement, scroller: HTMLElement): () => void {
  let framesLeft = layoutFrames
  let frame = 0
  const stop = () => {
    framesLeft = 0
  }
  const keepInView = () => {
    if (framesLeft <= 0) return
    framesLeft -= 1
    scrollToRow(row, scroller)
    if (framesLeft === layoutFrames - 1) focusRow(row)
    frame = requestAnimationFrame(keepInView)
  }
  // a frame later, so that the click that led here does not count as scrolling, and new elements have taken the focus
  frame = requestAnimationFrame(() => {
    // stop when the user scrolls
    for (const eventName of userScrollEvents) addEventListener(eventName, stop, { passive: true })
    frame = requestAnimationFrame(keepInView)
  })
  row.dataset['found'] = ''
  // a collapsed text opens when it is scrolled
  row.querySelector('[data-collapsed]')?.dispatchEvent(new Event('scroll'))
  const removeHighlight = () => delete row.dataset['found']
  const timer = setTimeout(removeHighlight, highlightMs)
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    removeHighlight()
    for (const eventName of userScrollEvents) removeEventListener(eventName, stop)
  }
}

/** Scrolls to the middle, or to the top of a long message. `scrollIntoView` would scroll the page around it, too. */
function scrollToRow(row: HTMLElement, scroller: HTMLElement) {
  const { top, height } = row.getBoundingClientRect()
  const space = scroller.clientHeight - height
  scroller.scrollTop +=
    top - scroller.getBoundingClientRect().top - (space > scroller.clientHeight / 2 ? space / 2 : marginPx)
}

/** Screen readers continue from here. A text field with a draft keeps the focus. */
function focusRow(row: HTMLElement) {
  const { activeElement } = document
  if (activeElement instanceof HTMLTextAreaElement && activeElement.value !== '') return
  row.tabIndex = -1
  row.addEventListener('blur', () => row.removeAttribute('tabindex'), { once: true })
  row.focus({ preventScroll: true })
}
