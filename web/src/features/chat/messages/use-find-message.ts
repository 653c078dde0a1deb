import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState, type RefObject } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { showToast } from '../../../components/ui/toast.ts'
import { ApiError, errorMessage } from '../../../lib/api-errors.ts'
import type { Conversation } from '../state/conversation.ts'
import { showVersion } from '../state/show-version.ts'
import { useConversationState } from '../state/conversation.ts'

/** How long a found message is marked. */
const markMs = 2_500
const marginPx = 16
/** Rows around it are laid out for the first time, and move it, for so many frames. */
const settlingFrames = 20

/** What the address has beside the conversation: `/?c=<id>&m=<message id>`. */
const parameter = 'm'

/**
 * Brings the message that the address names into view: loads earlier pages until it is there, scrolls to it, marks it for a moment and gives
 * it the focus. One in an earlier version makes that version the shown one. The conversation stays at its end, with a note, when there is no such message. A message that is sent takes the name out of
 * the address.
 * @param rows the element that has a `data-message` row for each message that is shown
 * @param onShow called before it is shown, with its place counted from the end of the messages: 1 for the last one
 */
export function useFindMessage(
  conversation: Conversation,
  rows: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  onShow: (fromEnd: number) => void,
): void {
  const queryClient = useQueryClient()
  const [params, setParams] = useSearchParams()
  // the same one may be asked for again
  const { key: visit } = useLocation()
  const id = params.get(parameter)
  const [found, setFound] = useState<{ id: string; visit: string }>()
  const isSent = useConversationState(conversation, ({ messages }) => messages.at(-1)?.local === true)
  useEffect(() => {
    if (id === null || !isSent) return
    const forget = (before: URLSearchParams) => {
      before.delete(parameter)
      return before
    }
    setParams(forget, { replace: true })
  }, [id, isSent, setParams])
  useEffect(() => {
    if (id === null || isSent) return
    const own = new AbortController()
    const find = async () => {
      try {
        const fromEnd =
          (await loadMessage(queryClient, conversation, id, own.signal)) ||
          (await loadOtherVersion(queryClient, conversation, id, own.signal))
        if (fromEnd === 0) return notifyMissing()
        onShow(fromEnd)
        setFound({ id, visit })
      } catch (error) {
        if (own.signal.aborted) return
        showToast('error', 'The message could not be loaded', {
          description: errorMessage(error),
          action: { label: 'Retry', onClick: () => void find() },
        })
      }
    }
    void find()
    return () => own.abort()
  }, [queryClient, conversation, id, visit, isSent, onShow])
  useEffect(() => {
    const row = found && rows.current?.querySelector(`[data-message="${CSS.escape(found.id)}"]`)
    return row instanceof HTMLElement && scroller.current ? reveal(row, scroller.current) : undefined
  }, [found, rows, scroller])
}

/** A message in an earlier version of the conversation, which is shown from here on. @returns as `loadMessage` */
async function loadOtherVersion(
  queryClient: QueryClient,
  conversation: Conversation,
  id: string,
  signal: AbortSignal,
): Promise<number> {
  try {
    await showVersion(queryClient, { sessionId: conversation.id, messageId: id })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 0
    throw error
  }
  return loadMessage(queryClient, conversation, id, signal)
}

function notifyMissing() {
  showToast('info', 'Message not found', {
    description: 'It was changed or deleted. This is the end of the conversation.',
  })
}

/**
 * Loads earlier pages until a message is there.
 * @returns its place counted from the end: 1 for the last one; 0 when the conversation has no such message
 * @throws AbortError, or what reading the conversation throws
 */
async function loadMessage(
  queryClient: QueryClient,
  conversation: Conversation,
  id: string,
  signal: AbortSignal,
): Promise<number> {
  const fromEnd = () => {
    const { messages } = conversation.getState()
    const index = messages.findIndex((message) => message.id === id)
    return index < 0 ? 0 : messages.length - index
  }
  // it may be newer than what was read before
  if (fromEnd() === 0)
    await queryClient.fetchQuery({ ...conversation.query, queryKey: conversation.query.queryKey ?? [] })
  for (;;) {
    signal.throwIfAborted()
    const place = fromEnd()
    if (place > 0 || conversation.getState().earlier === null) return place
    await conversation.loadEarlier()
  }
}

/** @returns ends it: the row may go, or another one is looked for */
function reveal(row: HTMLElement, scroller: HTMLElement): () => void {
  let frames = settlingFrames
  let frame = 0
  const stop = () => {
    frames = 0
  }
  const settle = () => {
    if (frames <= 0) return
    frames -= 1
    scrollTo(row, scroller)
    if (frames === settlingFrames - 1) takeFocus(row)
    frame = requestAnimationFrame(settle)
  }
  const moves = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
  // after what was just put on the page has taken the focus, and after the press that asked for this
  frame = requestAnimationFrame(() => {
    // whoever moves is not held
    for (const move of moves) addEventListener(move, stop, { passive: true })
    frame = requestAnimationFrame(settle)
  })
  row.dataset['found'] = ''
  const unmark = () => delete row.dataset['found']
  const timer = setTimeout(unmark, markMs)
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    unmark()
    for (const move of moves) removeEventListener(move, stop)
  }
}

/** To its middle, or to the top of what is long. Only the conversation scrolls: `scrollIntoView` would move the page around it as well. */
function scrollTo(row: HTMLElement, scroller: HTMLElement) {
  const { top, height } = row.getBoundingClientRect()
  const space = scroller.clientHeight - height
  scroller.scrollTop +=
    top - scroller.getBoundingClientRect().top - (space > scroller.clientHeight / 2 ? space / 2 : marginPx)
}

/** Screen readers go on from here. What somebody writes meanwhile keeps the focus. */
function takeFocus(row: HTMLElement) {
  const { activeElement } = document
  if (activeElement instanceof HTMLTextAreaElement && activeElement.value !== '') return
  row.tabIndex = -1
  row.addEventListener('blur', () => row.removeAttribute('tabindex'), { once: true })
  row.focus({ preventScroll: true })
}
