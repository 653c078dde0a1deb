import type { ChatEvent } from '#shared/chat-events.ts'
import { streamEnd } from '#shared/chat-events.ts'
import { streamHeartbeatMs } from '#shared/limits.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventOf, type LogPart, type ReplyLog } from '../../runs/reply-log.ts'

/** Text is sent at most this often; in between it gathers. The first words of a pause go out at once. */
const coalesceMs = 20

export const heartbeatFrame = ': heartbeat\n\n'
export const endFrame = `data: ${streamEnd}\n\n`

const frame = (position: number, event: ChatEvent) => `id: ${position}\ndata: ${JSON.stringify(event)}\n\n`

export const frameOf = (part: LogPart) => frame(part.to, eventOf(part, part.from))

/** The reply as server-sent events while it is written. */
export async function* liveEvents(reply: ReplyLog): AsyncGenerator<string> {
  let sent = reply.start
  let sentAtMs = 0
  for (;;) {
    const parts = reply.after(sent)
    if (parts.length === 0) {
      if (reply.closed) break
      await reply.changed(sent, streamHeartbeatMs)
      if (reply.after(sent).length === 0 && !reply.closed) yield heartbeatFrame
      continue
    }
    const early = sentAtMs + coalesceMs - Date.now()
    if (early > 0 && !reply.closed) {
      await sleep(early)
      parts.splice(0, parts.length, ...reply.after(sent))
    }
    // only text holds back text: the first words must not wait for having been announced
    if (parts.some((part) => 'text' in part)) sentAtMs = Date.now()
    sent = parts.at(-1)?.to ?? sent
    yield parts.map(frameOf).join('')
  }
  yield endFrame
}

/**
 * Events that are all there already, and the end.
 * @param position of the reader; these events are no part of the reply's log, so they move it only when it has seen nothing
 */
export function finishedEvents(events: readonly ChatEvent[], position = 0): AsyncIterable<string> {
  const frames = events.map((event, index) => frame(position === 0 ? index + 1 : position, event))
  return (async function* () {
    yield [...frames, endFrame].join('')
  })()
}
