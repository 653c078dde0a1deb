import { createParser } from 'eventsource-parser'
import { streamEnd } from '#shared/chat-events.ts'

/** An event of a reply's stream. */
export interface ServerSentEvent {
  /** the `id` of the event: the position in the reply; undefined without one */
  position: number | undefined
  data: string
}

/** How long the server may take to close a finished stream. */
const closeTimeoutMs = 5_000

/**
 * Reads server-sent events from a byte stream, whatever the chunk boundaries. Cancels the request if the caller stops early.
 * @param onActivity called for every chunk, heartbeats included
 * @throws what reading the stream throws
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onActivity: () => void,
): AsyncGenerator<ServerSentEvent> {
  const queue: ServerSentEvent[] = []
  const parser = createParser({
    onEvent: ({ id, data }) => queue.push({ position: parsePosition(id), data }),
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let isFinished = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onActivity()
      parser.feed(decoder.decode(value, { stream: true }))
      for (const event of queue.splice(0)) {
        if (event.data === streamEnd) isFinished = true
        yield event
      }
    }
  } finally {
    // not cancelled after its end: browsers would log that as a failed request
    if (isFinished) void waitForClose(reader)
    else await reader.cancel().catch(() => undefined)
  }
}

/** Reads until the server closes the connection; cancels it after a timeout. */
async function waitForClose(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const cancel = () => void reader.cancel().catch(() => undefined)
  const timer = setTimeout(cancel, closeTimeoutMs)
  try {
    while (!(await reader.read()).done);
  } catch {
    // the reply is complete
  } finally {
    clearTimeout(timer)
  }
}

function parsePosition(id: string | undefined): number | undefined {
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}
