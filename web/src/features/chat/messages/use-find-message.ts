import { t } from '@lingui/core/macro'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState, type RefObject } from 'react'
import { useLocation, useSearchParams } from '../../../lib/router.tsx'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { getErrorMessage, isNotFound } from '../../../lib/api-errors.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import { getActiveReply } from '../state/pending-reply.ts'
import { showVersion } from './cache-session-read.ts'
import { messageParameter } from '../../../lib/paths.ts'
import { highlightRow } from './highlight-row.ts'

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
