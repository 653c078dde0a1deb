import { createParser } from 'eventsource-parser'
import { type ChatEvent, streamEnd } from '#shared/chat-events.ts'
import { foldReply } from '#shared/reply/fold-reply.ts'
import { emptyReply, type ReplyState } from '#shared/reply/reply-state.ts'

/** A streamed reply as it arrived. */
export interface StreamedReply extends ReplyState {
  /** arrival of the first text */
  firstTextMs: number
  ms: number
  /** number of reads that returned text */
  pieces: number
}

/**
 * Reads a streamed reply to its end.
 * @throws Error when it fails, breaks off, or is empty
 */
export async function readReply(sent: Promise<Response>): Promise<StreamedReply> {
  const startedAt = performance.now()
  const { body } = await sent
  const ms = () => Math.round(performance.now() - startedAt)
  let reply = emptyReply
  let pieces = 0
  let firstTextMs: number | undefined
  let hasEnded = false
  let isFinished = false
  let failure: string | null | undefined
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === streamEnd) {
        hasEnded = true
        return
      }
      const event = JSON.parse(data) as ChatEvent
      reply = foldReply(reply, event)
      if (event.type === 'error') failure = event.errorText
      if (event.type !== 'finish') return
      isFinished = event.messageMetadata.success
      failure ??= event.messageMetadata.error
    },
  })
  const decoder = new TextDecoder()
  for await (const bytes of body ?? []) {
    const before = reply.text.length
    parser.feed(decoder.decode(bytes, { stream: true }))
    if (reply.text.length === before) continue
    pieces += 1
    firstTextMs ??= ms()
  }
  if (failure) throw new Error(failure)
  if (!hasEnded || !isFinished) throw new Error('the reply broke off')
  if (firstTextMs === undefined) throw new Error('the reply is empty')
  return { ...reply, firstTextMs, ms: ms(), pieces }
}
