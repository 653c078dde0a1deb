import { createParser } from 'eventsource-parser'

export interface StreamedEvent {
  /** the event's `id`: how far the reply has come with it; undefined when it names none */
  position: number | undefined
  data: string
}

/**
 * Server-sent events from bytes, however they are cut: lines split across chunks, characters split across bytes, any line end.
 * @param onActivity called for every chunk, comments included: a heartbeat counts as life
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onActivity: () => void,
): AsyncGenerator<StreamedEvent> {
  const ready: StreamedEvent[] = []
  const parser = createParser({
    onEvent: ({ id, data }) => ready.push({ position: positionOf(id), data }),
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onActivity()
      parser.feed(decoder.decode(value, { stream: true }))
      yield* ready.splice(0)
    }
  } finally {
    // a reader that stops early ends the connection too
    await reader.cancel().catch(() => undefined)
  }
}

function positionOf(id: string | undefined): number | undefined {
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}
