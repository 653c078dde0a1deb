import { type ChatEvent, streamEnd } from '#shared/chat-events.ts'
import { streamHeartbeatMs } from '#shared/limits.ts'
import { wait } from '../../platform/clock.ts'
import { toEvent, type LogPart, type ReplyLog } from '../store/reply-log.ts'

/** Text is sent at most this often, and collected in between. The first words after a pause are sent at once. */
const coalesceMs = 20

export const heartbeatFrame = ': heartbeat\n\n'
export const endFrame = `data: ${streamEnd}\n\n`

const formatEvent = (position: number, event: ChatEvent) =>
  `id: ${position}\ndata: ${JSON.stringify(event)}\n\n`

/** Formats a part of the log as one server-sent event. */
export const formatPart = (part: LogPart) => formatEvent(part.to, toEvent(part, part.from))

/** Streams the reply as server-sent events while it is written. */
export async function* streamLive(replyLog: ReplyLog): AsyncGenerator<string> {
  let sent = replyLog.start
  let sentAtMs = 0
  for (;;) {
    const parts = replyLog.readAfter(sent)
    if (parts.length === 0) {
      if (replyLog.isClosed) break
      await replyLog.waitForChange(sent, streamHeartbeatMs)
      if (replyLog.readAfter(sent).length === 0 && !replyLog.isClosed) yield heartbeatFrame
      continue
    }
    const waitMs = sentAtMs + coalesceMs - Date.now()
    if (waitMs > 0 && !replyLog.isClosed) {
      await wait(waitMs)
      parts.splice(0, parts.length, ...replyLog.readAfter(sent))
    }
    // only text delays text: the first words must not wait because of the events before them
    if (parts.some((part) => 'text' in part)) sentAtMs = Date.now()
    sent = parts.at(-1)?.to ?? sent
    yield parts.map(formatPart).join('')
  }
  yield endFrame
}

/**
 * Streams complete events, and the end. They are not in the reply's log: a reader keeps its position, and one that has seen nothing counts them.
 * @param position of the reader
 */
export function streamFinished(events: readonly ChatEvent[], position = 0): AsyncIterable<string> {
  const frames = events.map((event, index) => formatEvent(position === 0 ? index + 1 : position, event))
  return (async function* () {
    yield [...frames, endFrame].join('')
  })()
}
