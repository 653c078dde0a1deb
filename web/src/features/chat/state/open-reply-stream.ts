import { isNotFound, NetworkError } from '../../../lib/api-errors.ts'
import { createFrameBatch } from '../stream/frame-batch.ts'
import { streamReply, type StreamReplyOptions } from '../stream/stream-reply.ts'
import type { ShownError } from './conversation-parts.ts'
import type { ConversationEvent } from './conversation-machine.ts'

interface ReplyStreamOptions extends Pick<StreamReplyOptions, 'send' | 'reattach' | 'signal'> {
  /** number of the request in the state machine */
  request: number
  dispatch: (event: ConversationEvent) => unknown
  toShownError: (cause: unknown) => ShownError
}

/**
 * Follows the stream of a reply to its end, and dispatches its events; text at most once per frame.
 * @returns `flush` dispatches the text that has arrived and waits for the next frame
 */
export function openReplyStream({ request, dispatch, toShownError, ...options }: ReplyStreamOptions) {
  const { add, flush } = createFrameBatch((delta) =>
    dispatch({
      type: 'received',
      request,
      // the id of the text part is not used
      event: { type: 'text-delta', id: '', delta },
      timestamp: Date.now(),
    }),
  )
  const end = (reason: 'ended' | 'gone' | 'failed', error: unknown) => {
    flush()
    dispatch({ type: 'request-ended', request, reason, error: toShownError(error) })
  }
  const follow = async () => {
    try {
      await streamReply({
        ...options,
        onEvent(event) {
          if (event.type === 'text-delta') return add(event.delta)
          flush()
          dispatch({ type: 'received', request, event, timestamp: Date.now() })
        },
        onConnectionChange: (connection) => dispatch({ type: 'connection-changed', request, connection }),
      })
      end('ended', new NetworkError())
    } catch (error) {
      end(isNotFound(error) ? 'gone' : 'failed', error)
    }
  }
  void follow()
  return { flush }
}
