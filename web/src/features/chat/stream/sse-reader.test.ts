import { expect, it, onTestFinished, vi } from 'vitest'
import { readEvents, type ServerSentEvent } from './sse-reader.ts'

/** A body that arrives in the given pieces. */
function toBody(pieces: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
}

async function read(pieces: Uint8Array[], onActivity = () => {}): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = []
  for await (const event of readEvents(toBody(pieces), onActivity)) events.push(event)
  return events
}

const encode = (text: string) => new TextEncoder().encode(text)
const text = ': alive\n\nid: 1\ndata: {"a":1}\n\nid: 8\ndata: Grüße 👋\n\ndata: [DONE]\n\n'
/** `position`: the id of the event, which says where in the reply it is. */
const expectedEvents = [
  { position: 1, data: '{"a":1}' },
  { position: 8, data: 'Grüße 👋' },
  { position: undefined, data: '[DONE]' },
]

it.each([
  ['LF', '\n'],
  ['CR', '\r'],
  ['CRLF', '\r\n'],
])('reads events with %s line ends, whatever the chunk boundaries', async (_, lineEnd) => {
  const bytes = encode(text.replaceAll('\n', lineEnd))
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const pieces = []
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.slice(at, at + size))
    expect(await read(pieces)).toEqual(expectedEvents)
  }
})

it('LIB-15 DEC-103 treats a comment as activity, but not as an event', async () => {
  const onActivity = vi.fn<() => void>()
  expect(await read([encode(': alive\n\n'), encode(': alive\n\n')], onActivity)).toEqual([])
  expect(onActivity).toHaveBeenCalledTimes(2)
})

it('ignores an invalid id', async () => {
  expect(await read([encode('id: x1\ndata: a\n\n')])).toEqual([{ position: undefined, data: 'a' }])
})

it('drops an event that was cut off before its end', async () => {
  expect(await read([encode('id: 1\ndata: whole\n\nid: 2\ndata: ha')])).toEqual([
    { position: 1, data: 'whole' },
  ])
})

it('cancels the connection when the reader stops early', async () => {
  const onCancel = vi.fn<() => void>()
  const endlessBody = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(encode('data: x\n\n')),
    cancel: onCancel,
  })
  for await (const { data } of readEvents(endlessBody, () => {})) {
    expect(data).toBe('x')
    break
  }
  expect(onCancel).toHaveBeenCalledOnce()
})

it('lets a finished stream close, and cancels one that stays open', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const onCancel = vi.fn<() => void>()
  const readUntilDone = async (
    /** schedules the end of the stream */
    end: (controller: ReadableStreamDefaultController<Uint8Array>) => void,
  ) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(encode('data: [DONE]\n\n'))
        end(controller)
      },
      cancel: onCancel,
    })
    for await (const { data } of readEvents(body, () => {})) if (data === '[DONE]') break
  }
  await readUntilDone((controller) => setTimeout(() => controller.close(), 1_000))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onCancel).not.toHaveBeenCalled()

  await readUntilDone(() => undefined)
  expect(onCancel).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onCancel).toHaveBeenCalledOnce()

  // a connection that breaks after the end marker changes nothing
  await readUntilDone((controller) =>
    setTimeout(() => controller.error(new TypeError('network error')), 1_000),
  )
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onCancel).toHaveBeenCalledOnce()
})
