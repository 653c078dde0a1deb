import { expect, it } from 'vitest'
import type { ChatEvent } from '#shared/chat-events.ts'
import { formatPart, streamLive } from '../../functions/conversations/replies/event-stream.ts'
import { ReplyLog } from '../../functions/conversations/store/reply-log.ts'
import { trimOverlap, parseChatEvent } from '../../web/src/features/chat/stream/chat-event.ts'
import { readEvents, type ServerSentEvent } from '../../web/src/features/chat/stream/sse-reader.ts'
import {
  anyJson,
  arbitraryText,
  fc,
  limitCpuTimeAsync,
  backtrackingText,
  stringify,
} from '../support/fuzz.ts'

const event: fc.Arbitrary<ChatEvent> = fc.oneof(
  {
    arbitrary: fc.record({
      type: fc.constant('text-delta' as const),
      id: fc.constantFrom('text-0', 'text-1'),
      delta: arbitraryText(30),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      type: fc.constant('reasoning-delta' as const),
      id: fc.constantFrom('text-0', 'reasoning-0'),
      delta: arbitraryText(30),
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      type: fc.constant('tool-input-delta' as const),
      toolCallId: fc.constantFrom('text-0', 'call'),
      inputTextDelta: arbitraryText(30),
    }),
    weight: 2,
  },
  {
    arbitrary: fc.constantFrom(
      { type: 'text-start' as const, id: 'text-0' },
      { type: 'text-end' as const, id: 'text-0' },
    ),
    weight: 1,
  },
  {
    arbitrary: fc.tuple(arbitraryText(20), fc.jsonValue({ maxDepth: 2 })).map(([toolCallId, output]) => ({
      type: 'tool-output-available' as const,
      toolCallId,
      output: JSON.parse(JSON.stringify(output)) as unknown,
    })),
    weight: 1,
  },
)

/** A stream that delivers its bytes in chunks of these sizes. */
function streamInPieces(bytes: Uint8Array, sizes: readonly number[]): ReadableStream<Uint8Array> {
  let at = 0
  let piece = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      const size = Math.max(1, sizes[piece++ % Math.max(1, sizes.length)] ?? bytes.length)
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
}

async function read(text: string, sizes: readonly number[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = []
  for await (const one of readEvents(streamInPieces(Buffer.from(text), sizes), () => undefined))
    events.push(one)
  return events
}

/** The events, with neighbouring text deltas joined. */
function joinDeltas(events: readonly ChatEvent[]): unknown[] {
  const joined: unknown[] = []
  let lastDelta: { id: string; type: string; text: string } | undefined
  for (const one of events)
    if (one.type === 'text-delta' || one.type === 'reasoning-delta' || one.type === 'tool-input-delta') {
      const { type } = one
      const [id, text] = 'delta' in one ? [one.id, one.delta] : [one.toolCallId, one.inputTextDelta]
      if (text === '') continue
      if (lastDelta?.id === id && lastDelta.type === type) lastDelta.text += text
      else joined.push((lastDelta = { id, type, text }))
    } else {
      lastDelta = undefined
      joined.push(one)
    }
  return joined
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 })

it('a reply arrives unchanged, however its bytes are split, and a reader can resume anywhere', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 12 }), sizes, fc.nat(), async (events, pieces, offset) => {
      const reply = new ReplyLog()
      for (const one of events) reply.push(one)
      reply.close()
      let stream = ''
      for await (const frames of streamLive(reply)) stream += frames
      const received = await read(stream, pieces)
      expect(received.at(-1)).toEqual({ position: undefined, data: '[DONE]' })
      const parsed = received
        .slice(0, -1)
        .map(({ data, position }) => ({ position, event: parseChatEvent(data) }))
      expect(joinDeltas(parsed.map((one) => one.event as ChatEvent))).toEqual(joinDeltas(events))
      expect(parsed.at(-1)?.position ?? 0).toBe(reply.position)

      // a reader that resumes after a part of the stream, also in the middle of a delta
      const resumedAt = offset % (reply.position + 1)
      const rest = reply.readAfter(resumedAt).map(formatPart).join('')
      const resumedEvents = (await read(rest, pieces)).map(({ data }) => parseChatEvent(data) as ChatEvent)
      const trimmedEvents = parsed.flatMap(({ position, event: one }) =>
        one ? (trimOverlap(one, position, resumedAt) ?? []) : [],
      )
      expect(joinDeltas(resumedEvents)).toEqual(joinDeltas(trimmedEvents))
    }),
  )
})

it('any bytes are events or nothing, in time', async () => {
  const frames = fc.oneof(
    arbitraryText(),
    backtrackingText(
      ['data: ', 'id: ', 'event: ', ':', '\r', '\r\n', '\n\n', '{"type":"', '[DONE]', 'retry: 1\n'],
      60_000,
    ),
    fc
      .array(fc.tuple(arbitraryText(20), anyJson()))
      .map((pairs) => pairs.map(([id, value]) => `id: ${id}\ndata: ${stringify(value)}\n\n`).join('')),
  )
  await fc.assert(
    fc.asyncProperty(frames, sizes, async (text, pieces) => {
      const received = await limitCpuTimeAsync(() =>
        read(
          text,
          pieces.map((size) => size * 50),
        ),
      )
      for (const { data, position } of received) {
        if (position !== undefined) expect(Number.isSafeInteger(position)).toBe(true)
        const event = parseChatEvent(data)
        if (event) trimOverlap(event, position, 3)
      }
    }),
  )
})
