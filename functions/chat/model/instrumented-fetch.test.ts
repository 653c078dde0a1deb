import { describe, expect, it } from 'vitest'
import { doneDetector, instrumentedFetch } from './instrumented-fetch.ts'

describe('a response', () => {
  it('is returned unchanged, and its bytes are reported as they arrive', async () => {
    const reportedBytes: string[] = []
    const fetchArguments: unknown[] = []
    const send = instrumentedFetch(
      (bytes) => reportedBytes.push(Buffer.from(bytes).toString()),
      async (...args) => {
        fetchArguments.push(...args)
        return new Response('Hello', { status: 201, statusText: 'Made', headers: { 'x-a': 'b' } })
      },
    )
    const response = await send('https://example.org/a', { method: 'POST' })
    // the headers alone count as activity
    expect(reportedBytes).toEqual([''])
    expect([response.status, response.statusText, response.headers.get('x-a')]).toEqual([201, 'Made', 'b'])
    expect(await response.text()).toBe('Hello')
    expect(reportedBytes).toEqual(['', 'Hello'])
    expect(fetchArguments).toEqual(['https://example.org/a', { method: 'POST' }])
  })

  it.each([
    [undefined, null],
    ['2', null],
    ['3', 'false'],
    ['soon', null],
  ])('that says to wait %s seconds gets the header x-should-retry %s', async (seconds, retry) => {
    const headers = seconds === undefined ? {} : { 'retry-after': seconds }
    const send = instrumentedFetch(
      () => undefined,
      async () => new Response(null, { status: 429, headers }),
    )
    const response = await send('https://example.org')
    expect(response.headers.get('x-should-retry')).toBe(retry)
    expect(response.body).toBeNull()
  })
})

it.each([
  [['data: [DONE]'], true],
  [['data:[DONE]\n\n'], true],
  [['data: {}\n\ndata: [DONE]\n\n'], true],
  [[`${'x'.repeat(100)}\nda`, 'ta: [DO', 'NE]', '\n', '\n'], true],
  [['data: {}\n\n'], false],
  [['xdata: [DONE]'], false],
  [['data: [DONE] not'], false],
  [['data:  [DONE]'], false],
  [[], false],
])('the stream %j is done: %s', (chunks, isDone) => {
  const detector = doneDetector()
  for (const chunk of chunks) detector.onBytes(Buffer.from(chunk))
  expect(detector.isDone()).toBe(isDone)
})
