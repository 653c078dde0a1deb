import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { ModelError, modelErrors } from './model-errors.ts'
import { readRejection } from './server-rejection.ts'
import { post, type ModelServerAccess, type PostRequest } from './post.ts'

/** Posts a request that has one answer, and reads it. */
async function send(
  response: Response | (() => Promise<Response>),
  request: Partial<PostRequest> = {},
  access: Partial<ModelServerAccess> = {},
) {
  const sent: [string, RequestInit][] = []
  const reported: string[] = []
  const outcome = post(
    {
      baseUrl: 'https://m.example.org/v1/',
      readKey: async () => 'k',
      fetch: async (url, init) => {
        sent.push([url as string, init ?? {}])
        return typeof response === 'function' ? response() : response
      },
      ...access,
    },
    {
      path: '/answers',
      body: { a: 1 },
      signal: new AbortController().signal,
      onBytes: (bytes) => reported.push(Buffer.from(bytes).toString()),
      ...request,
    },
  ).then((body) => text(body))
  const [received, error] = await outcome.then(
    (whole) => [whole, undefined] as const,
    (error: unknown) => [undefined, error as ModelError] as const,
  )
  return { sent, reported, text: received, error }
}

describe('a request', () => {
  it('is JSON, has the key, and goes to the path below the address', async () => {
    const { sent, text: received } = await send(new Response('data: Hello'), {
      headers: (key) => ({ 'x-key': key }),
    })
    expect(sent).toMatchObject([
      [
        'https://m.example.org/v1/answers',
        {
          method: 'POST',
          body: '{"a":1}',
          headers: { authorization: 'Bearer k', 'content-type': 'application/json', 'x-key': 'k' },
        },
      ],
    ])
    expect(received).toBe('data: Hello')
  })

  it('of a form has no other type, and no key is one, too', async () => {
    const body = new FormData()
    const { sent } = await send(new Response('{}'), { body }, { readKey: async () => '', baseUrl: undefined })
    expect(sent).toMatchObject([
      ['https://api.openai.com/v1/answers', { body, headers: { authorization: 'Bearer none' } }],
    ])
    expect(sent[0]?.[1].headers).not.toHaveProperty('content-type')
  })

  it('that was stopped ends with the reason', async () => {
    const stop = new AbortController()
    const stopped = new Error('stopped')
    const fetchOnce = async () => {
      stop.abort(stopped)
      throw new TypeError('fetch failed')
    }
    const { sent, error } = await send(fetchOnce, { signal: stop.signal })
    expect([sent.length, error]).toEqual([1, stopped])
  })

  it('fails with the error of what sends it, at once if it is known', async () => {
    const known = new ModelError(modelErrors.key, 'no key')
    const { sent, error } = await send(async () => {
      throw known
    })
    expect([sent.length, error]).toEqual([1, known])
  })
})

describe('an answer', () => {
  it('is reported as it arrives, its headers first', async () => {
    const { reported } = await send(
      new Response(ReadableStream.from(['a', 'b'].map((one) => Buffer.from(one)))),
    )
    expect(reported).toEqual(['', 'a', 'b'])
  })

  it('without a body is empty', async () => {
    expect(await send(new Response(null, { status: 204 }))).toMatchObject({ text: '', reported: [''] })
  })

  it('ends with what the listener throws', async () => {
    const tooLong = new ModelError(modelErrors.unreadable, 'too long')
    const onBytes = ({ length }: Uint8Array) => {
      if (length > 1) throw tooLong
    }
    expect((await send(new Response('abc'), { onBytes })).error).toBe(tooLong)
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
    const { error } = await send(new Response(body, { headers: { 'content-type': type } }))
    expect(error).toMatchObject({ code: 'model_server_missing' })
  })

  it.each([
    ['text/htmlx', 'data: {}'],
    ['application/text/html', 'data: {}'],
    ['text/event-stream', 'data: <html>'],
    ['text/plain', 'a < b'],
  ])('that is no page (%s) is passed on', async (type, body) => {
    expect((await send(new Response(body, { headers: { 'content-type': type } }))).text).toBe(body)
  })

  it('is not read if it is a page', async () => {
    let cancelled = 0
    const body = new ReadableStream({ cancel: () => void (cancelled += 1) })
    const { error } = await send(new Response(body, { headers: { 'content-type': 'text/html' } }))
    expect([error?.code, cancelled]).toEqual(['model_server_missing', 1])
  })
})

describe('an error', () => {
  it('has the words of the server, whatever their form, and is reported', async () => {
    const detail = [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs' }]
    const { error, reported } = await send(Response.json({ detail }, { status: 422 }))
    expect(error?.rejection).toMatchObject({
      status: 422,
      message: 'Extra inputs',
      type: 'extra_forbidden',
      param: 'stream_options',
      isJson: true,
    })
    expect(reported).toEqual(['', JSON.stringify({ detail })])
  })

  it.each([
    Response.json(
      { error: { message: 'Incorrect key: my-secret-key.', code: 'my-secret-key' } },
      { status: 401 },
    ),
    new Response('Incorrect key: my-secret-key.', { status: 401 }),
    new Response('data: {"error":{"message":"Incorrect key: my-secret-key."}}\n\n'),
  ])('is read without the key that the server repeats', async (response) => {
    const { error, text: body } = await send(response, {}, { readKey: async () => 'my-secret-key' })
    const { message, code } =
      error?.rejection ?? readRejection(JSON.parse((body ?? '').slice(6)), { status: undefined })
    expect(message).toBe('Incorrect key: ….')
    expect(`${code} ${error?.message}`).not.toContain('secret')
  })

  it('may be a text', async () => {
    const { error } = await send(new Response('no', { status: 418 }))
    expect(error?.rejection).toMatchObject({ status: 418, message: 'no', isJson: false })
  })

  it('has the parts of the request that it names', async () => {
    const url = `data:image/png;base64,${'A'.repeat(100)}`
    const body = { input: [{ content: [{ image_url: url }] }] }
    const refusal = { error: { message: 'Invalid image', param: 'input[0].content[0].image_url' } }
    const { error } = await send(Response.json(refusal, { status: 400 }), { body })
    expect(error?.rejection?.named?.map((parts) => parts.at(-1))).toEqual([url])
  })

  it('is read up to 64 kB', async () => {
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
    const { error } = await send(new Response(body, { status: 400 }))
    // of which 4,000 characters are kept
    expect([error?.rejection?.message.length, pulled, cancelled]).toEqual([4_000, 2, 1])
  })
})
