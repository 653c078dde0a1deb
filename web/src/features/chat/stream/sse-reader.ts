import { createParser } from 'eventsource-parser'
import { streamEnd } from '#shared/chat-events.ts'

export interface ServerSentEvent {
  /** the event's `id`: how far the reply has come with it; undefined when it names none */
  position: number | undefined
  data: string
}

/** How long a finished stream may take to close by itself. */
const closeTimeoutMs = 5_000

/**
 * Server-sent events from bytes, however they are cut: lines split across chunks, characters split across bytes, any line end.
 * @param onActivity called for every chunk, comments included: a heartbeat counts as life
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
    // a reader that stops early ends the connection too; browsers log one that is cancelled after its end as a failed request
    if (isFinished) void waitForClose(reader)
    else await reader.cancel().catch(() => undefined)
  }
}

/** Reads what follows the end marker until the server closes the connection, and cancels one that stays open. */
async function waitForClose(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const cancel = () => void reader.cancel().catch(() => undefined)
  const timer = setTimeout(cancel, closeTimeoutMs)
  try {
    while (!(await reader.read()).done);
  } catch {
    // the reply is complete: how its connection ends does not matter
  } finally {
    clearTimeout(timer)
  }
}

function parsePosition(id: string | undefined): number | undefined {
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}
