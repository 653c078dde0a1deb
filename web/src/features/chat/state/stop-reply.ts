import { stopPatienceMs } from '#shared/limits.ts'
import { ApiError, isRetryable } from '../../../lib/api-errors.ts'
import type { ChatApi } from '../stream/chat-api.ts'
import { notifyNotStopped } from './chat-toasts.ts'
import type { ConversationEvent, Effect } from './conversation-machine.ts'

interface StopContext {
  /** of the conversation */
  id: string
  api: Pick<ChatApi, 'stop'>
  dispatch: (event: ConversationEvent) => unknown
}

/**
 * Creates the function that stops the replies of a conversation. If the end of a reply does not arrive soon after, the page ends it.
 * @returns the function; when the server could not be asked, it says so by a toast, and returns false
 */
export function createStop({ id, api, dispatch }: StopContext) {
  let overdueTimer: ReturnType<typeof setTimeout> | undefined
  return async ({ messageId, runId, isRepeated }: Extract<Effect, { type: 'stop' }>): Promise<boolean> => {
    // the timer of an earlier stop would end a retried reply, which has the same message
    if (!isRepeated) clearTimeout(overdueTimer)
    let isAccepted = true
    try {
      await api.stop(id, runId)
    } catch (error) {
      // that the service refuses says that the run has not started or has ended, which the stream reports
      isAccepted = error instanceof ApiError && !isRetryable(error)
      if (!isAccepted && !isRepeated) notifyNotStopped(error)
    }
    if (isRepeated) return true
    if (!isAccepted) dispatch({ type: 'stop-refused', messageId })
    else {
      dispatch({ type: 'stop-accepted', messageId, timestamp: Date.now() })
      overdueTimer = setTimeout(
        () => dispatch({ type: 'stop-overdue', messageId, timestamp: Date.now() }),
        stopPatienceMs,
      )
    }
    return isAccepted
  }
}
