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
        return new Response('data: Hello', { status: 201, statusText: 'Made', headers: { 'x-a': 'b' } })
      },
    )
    const response = await send('https://example.org/a', { method: 'POST' })
    // the headers alone count as activity
    expect(reportedBytes).toEqual([''])
    expect([response.status, response.statusText, response.headers.get('x-a')]).toEqual([201, 'Made', 'b'])
    expect(await response.text()).toBe('data: Hello')
    expect(reportedBytes).toEqual(['', 'data: Hello'])
    expect(fetchArguments).toEqual(['https://example.org/a', { method: 'POST' }])
  })

  const fetchOnce = (response: Response) =>
    instrumentedFetch(
      () => undefined,
      async () => response,
    )('https://example.org')

  it.each([
    [429, undefined, null],
    [429, '2', null],
    [429, '3', 'false'],
    [429, new Date(Date.now() + 20_000).toUTCString(), 'false'],
    [429, 'soon', null],
    [500, undefined, null],
    [400, undefined, 'false'],
  ])('of status %i that says to wait %s gets the header x-should-retry %s', async (status, wait, retry) => {
    const headers = wait === undefined ? {} : { 'retry-after': wait }
    const response = await fetchOnce(new Response(null, { status, headers }))
    expect(response.headers.get('x-should-retry')).toBe(retry)
  })

  it('of an account without credit is not tried again', async () => {
    const error = {
      message: 'You exceeded your current quota',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    }
    const response = await fetchOnce(Response.json({ error }, { status: 429 }))
    expect(response.headers.get('x-should-retry')).toBe('false')
  })

  it('that is an error has one form, whatever the server sends', async () => {
    const detail = [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs' }]
    const response = await fetchOnce(Response.json({ detail }, { status: 422 }))
    expect(await response.json()).toEqual({
      type: 'error',
      error: {
        message: 'Extra inputs',
        code: '',
        type: 'extra_forbidden',
        param: 'stream_options',
        is_json: true,
      },
    })
  })

  const read = (body: string, type = 'application/json') =>
    fetchOnce(new Response(body, { headers: { 'content-type': type } })).then((response) => response.text())

  it.each(['{"message":"hello"}', '[]', '{}', 'hello', 'null', '{"error":null}', '{"datum":1}'])(
    'without the form of an API is no answer of a model: %s',
    async (body) => {
      await expect(read(body)).rejects.toMatchObject({ code: 'model_server_missing' })
    },
  )

  it('of a success with an error in it is that error', async () => {
    const body = JSON.stringify({
      error: { message: 'The model `m` does not exist', code: 'model_not_found' },
    })
    await expect(read(body)).rejects.toMatchObject({ code: 'model_unknown' })
  })

  it.each([
    '',
    '\n',
    ': comment\n\n',
    'data: {}\n\n',
    'event: ping\ndata: {}\n\n',
    'error: {"code":500}\n\n',
    '{"choices":[]}',
    '{"output":[]}',
    '{"content":[],"type":"message"}',
    '{"data":[{"b64_json":""}]}',
    'x'.repeat(5_000),
  ])('that may be one of a model is passed on: %.40s', async (body) => {
    expect(await read(body)).toBe(body)
  })

  it.each([
    ['text/html; charset=utf-8', 'Sign in'],
    ['text/plain', '  <!doctype html><p>Sign in'],
  ])('that is a page (%s) is no answer of a model', async (type, body) => {
    await expect(read(body, type)).rejects.toMatchObject({ code: 'model_server_missing' })
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
