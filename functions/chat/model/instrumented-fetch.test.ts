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

  it('that is an error has the headers of its new body, and reports its bytes', async () => {
    const reported: string[] = []
    const headers = {
      'content-type': 'text/plain',
      'content-length': '2',
      'content-encoding': 'br',
      'transfer-encoding': 'chunked',
      'x-request-id': 'r',
    }
    const response = await instrumentedFetch(
      (bytes) => reported.push(Buffer.from(bytes).toString()),
      async () => new Response('no', { status: 418, headers }),
    )('https://example.org')
    expect(response.status).toBe(418)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/json',
      'x-request-id': 'r',
      'x-should-retry': 'false',
    })
    expect(await response.json()).toEqual({
      type: 'error',
      error: { message: 'no', code: '', type: '', param: '', is_json: false },
    })
    expect(reported).toEqual(['', 'no'])
  })

  it('that is an error is read up to 64 kB', async () => {
    let [pulled, cancelled] = [0, 0]
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled += 1
          controller.enqueue(Buffer.alloc(32 * 1024, 'x'))
        },
        cancel: () => void (cancelled += 1),
      },
      { highWaterMark: 0 },
    )
    const response = await fetchOnce(new Response(body, { status: 400 }))
    const { error } = (await response.json()) as { error: { message: string } }
    expect([error.message.length, pulled, cancelled]).toEqual([64 * 1024, 2, 1])
  })

  it('that is an error of one long piece is cut, too', async () => {
    const response = await fetchOnce(new Response('x'.repeat(70_000), { status: 400 }))
    const { error } = (await response.json()) as { error: { message: string } }
    expect(error.message).toHaveLength(64 * 1024)
  })

  it('without a body stays without one', async () => {
    const response = await fetchOnce(new Response(null, { status: 204 }))
    expect([response.status, response.body]).toEqual([204, null])
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

  it.each([
    '{"message":"hello"}',
    '[]',
    '{}',
    'hello',
    'null',
    '3',
    '{"error":null}',
    '{"datum":1}',
    'x data: {}',
    'datadata: {}',
    '{"a":1}\n{"choices":[]}',
    'x'.repeat(4_096),
    'a < b',
  ])('without the form of an API is no answer of a model: %s', async (body) => {
    await expect(read(body)).rejects.toMatchObject({ code: 'model_server_missing' })
  })

  it('of a success with an error in it is that error', async () => {
    const body = JSON.stringify({
      error: { message: 'The model `m` does not exist', code: 'model_not_found' },
    })
    await expect(read(body)).rejects.toMatchObject({ code: 'model_unknown' })
  })

  it.each([
    '',
    '\n',
    ' \n ',
    ': comment\n\n',
    'data: {}\n\n',
    '\n\ndata: {}\n\n',
    'event: ping\ndata: {}\n\n',
    'id: 1\ndata: {}\n\n',
    'retry: 1\ndata: {}\n\n',
    'error: {"code":500}\n\n',
    '{"choices":[]}',
    '{"output":[]}',
    '{"content":[]}',
    '{"data":[{"b64_json":""}]}',
    '{"text":""}',
    '{"type":"message"}',
    '{"object":"list"}',
    '{"choices":[],"error":null}',
    // an object to a line
    '{"choices":[]}\n{"choices":[]}',
    'x'.repeat(4_097),
  ])('that may be one of a model is passed on: %.40s', async (body) => {
    expect(await read(body)).toBe(body)
  })

  it.each([
    ['text/html; charset=utf-8', 'data: {}'],
    ['TEXT/HTML', 'data: {}'],
    ['text/plain', '  <!doctype html><p>Sign in'],
    ['text/plain', '<html>'],
    ['text/plain', '<HTML>'],
    ['text/plain', '<?xml version="1.0"?>'],
    ['text/plain', `<p>${'x'.repeat(5_000)}`],
  ])('that is a page (%s) is no answer of a model', async (type, body) => {
    await expect(read(body, type)).rejects.toMatchObject({ code: 'model_server_missing' })
  })

  it.each([
    ['text/htmlx', 'data: {}'],
    ['application/text/html', 'data: {}'],
    ['text/event-stream', 'data: <html>'],
    ['text/event-stream', `data: ${'x'.repeat(5_000)}`],
  ])('that is no page (%s) is passed on', async (type, body) => {
    expect(await read(body, type)).toBe(body)
  })

  it('is checked as a whole, however it arrives', async () => {
    const send = (...pieces: string[]) =>
      fetchOnce(new Response(ReadableStream.from(pieces.map((piece) => Buffer.from(piece))))).then(
        (response) => response.text(),
      )
    expect(await send('{"choices"', ':[]}')).toBe('{"choices":[]}')
    // no page begins in its second piece
    expect(await send('data: ', '<p>')).toBe('data: <p>')
    await expect(send('{"a"', ':1}')).rejects.toMatchObject({ code: 'model_server_missing' })
  })

  it('is not read if it is a page', async () => {
    let cancelled = 0
    const body = new ReadableStream({ cancel: () => void (cancelled += 1) })
    const headers = { 'content-type': 'text/html' }
    await expect(fetchOnce(new Response(body, { headers }))).rejects.toMatchObject({
      code: 'model_server_missing',
    })
    expect(cancelled).toBe(1)
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
  [['data: [DONE]\n\n', 'data: {}'], false],
  [['\ndata: [DONE]', ' '.repeat(19)], true],
  [[], false],
])('the stream %j is done: %s', (chunks, isDone) => {
  const detector = doneDetector()
  for (const chunk of chunks) detector.onBytes(Buffer.from(chunk))
  expect(detector.isDone()).toBe(isDone)
})
