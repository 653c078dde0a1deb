import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { writeEndlessly } from '../../test/support/endless-response.ts'
import {
  beginStream,
  calls,
  says,
  startFakeModel,
  wireFormat,
  type ModelBehaviour,
} from '../../test/support/fake-model-server.ts'
import { openModel } from './open-model.ts'

let server: Awaited<ReturnType<typeof startFakeModel>> | undefined
afterEach(() => server?.close())

const apis = ['chat', 'responses'] as const
let api: (typeof apis)[number]

async function complete(behaviour: ModelBehaviour, signal = new AbortController().signal) {
  server = await startFakeModel(behaviour)
  const texts: string[] = []
  // as for a server that is not on this computer
  const settings = { baseUrl: server.baseUrl, model: 'm', readKey: async () => 'k', silenceSeconds: 45 }
  const model = openModel({ api, ...settings })
  const round = model.complete({
    messages: [{ role: 'user', content: 'hi' }],
    tools: [],
    signal,
    onText: (delta) => texts.push(delta),
    onOmit: () => undefined,
  })
  return { round, texts }
}

const respondsWith =
  (code: number, headers: Record<string, string> = {}): ModelBehaviour =>
  (response) =>
    response.writeHead(code, headers).end('{"error":{"message":"secret internals"}}')

describe.each(apis)('over %s', (name) => {
  beforeEach(() => {
    api = name
  })

  it('CHAT-45 passes text on as it arrives', async () => {
    const { round, texts } = await complete(says('Hello, world'))
    expect(await round).toMatchObject({ text: 'Hello, world', toolCalls: [], truncated: false })
    expect(texts).toEqual(['Hello', ', wor', 'ld'])
  })

  it.each<[string, ModelBehaviour, string]>([
    ['a refused key', respondsWith(401), 'model_key_refused'],
    ['a forbidden key', respondsWith(403), 'model_key_refused'],
    ['an unknown path', respondsWith(404), 'model_server_missing'],
    ['a refused request', respondsWith(400), 'model_refused'],
    ['too many requests', respondsWith(429, { 'retry-after': '30' }), 'model_busy'],
    ['a server error', respondsWith(500), 'model_broken'],
    ['a cut connection', (response) => response.socket?.destroy(), 'model_unreachable'],
    [
      'a cut reply',
      (response, request) => {
        beginStream(response)
        response.write(wireFormat(request).text('Half'), () => setImmediate(() => response.socket?.destroy()))
      },
      'model_cut',
    ],
    [
      'a reply that ends too early',
      (response, request) => beginStream(response).end(wireFormat(request).text('Half')),
      'model_cut',
    ],
    ['HTML', (response) => response.writeHead(200).end('<html>hello</html>'), 'model_server_missing'],
    ['nothing', (response) => beginStream(response).end(), 'model_empty'],
    [
      'a chunk that is no JSON',
      (response) => beginStream(response).end('data: {"a":\n\n'),
      'model_unreadable',
    ],
    [
      'an error inside the stream',
      (response) => beginStream(response).end('event: error\ndata: {"error":{"message":"x"}}\n\n'),
      'model_broken',
    ],
  ])('DEC-019 %s has its own error, without internals', async (_, behaviour, code) => {
    const { round } = await complete(behaviour)
    const fault: unknown = await round.catch((error: unknown) => error)
    expect(fault).toMatchObject({ code, userMessage: expect.not.stringContaining('secret') as string })
  })

  it('does not wait for a model that says to wait long', async () => {
    const { round } = await complete(respondsWith(429, { 'retry-after': '30' }))
    await expect(round).rejects.toMatchObject({ status: 503, retryAfterSeconds: 30 })
    expect(server?.requests).toHaveLength(1)
  })

  it.each<[string, string]>([
    ['a line', 'x'],
    ['arguments of a call', wireFormat({ url: `/${name}` }).call(0, { args: 'x'.repeat(1_000) })],
    ['an error', 'y'],
  ])('stops reading %s that does not end, and ends the call', async (source, piece) => {
    const block = Buffer.from(piece.repeat(Math.ceil(1_000_000 / piece.length)))
    const sent = Promise.withResolvers<number>()
    const { round } = await complete((response) => {
      response.writeHead(source === 'an error' ? 400 : 200, { 'content-type': 'text/event-stream' })
      if (source === 'a line') response.write('data: ')
      sent.resolve(writeEndlessly(response, block))
    })
    const code = source === 'an error' ? 'model_refused' : 'model_unreadable'
    await expect(round).rejects.toMatchObject({ code })
    expect(await sent.promise).toBeLessThan(80_000_000)
  })

  it('reports an error after 45 s without a byte', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const requestArrived = Promise.withResolvers<void>()
    const { round } = await complete((response) => {
      beginStream(response).write(': thinking\n\n')
      requestArrived.resolve()
    })
    const outcome = round.catch((error: unknown) => error)
    await requestArrived.promise
    while (vi.getTimerCount() === 0) await new Promise(setImmediate)
    await vi.advanceTimersByTimeAsync(46_000)
    vi.useRealTimers()
    expect(await outcome).toMatchObject({ code: 'model_silent' })
  })

  it('reads a slow model for as long as it sends bytes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { promise: begun, resolve: begin } = Promise.withResolvers<ServerResponse>()
    const { round, texts } = await complete((response, request) => {
      beginStream(response).write(wireFormat(request).text('One'))
      begin(response)
    })
    const outcome = round.catch((error: unknown) => error)
    const response = await begun
    const waitForDeltas = async (count: number) => {
      while (texts.length < count) await new Promise(setImmediate)
    }
    for (const [index, word] of [' two', ' three'].entries()) {
      await waitForDeltas(index + 1)
      await vi.advanceTimersByTimeAsync(40_000)
      response.write(wireFormat({ url: `/${name}` }).text(word))
    }
    await waitForDeltas(3)
    vi.useRealTimers()
    response.end(wireFormat({ url: `/${name}` }).end())
    expect(await outcome).toMatchObject({ text: 'One two three', truncated: false })
  })

  it('assembles tool calls from their pieces', async () => {
    const { round } = await complete(
      calls({ id: 'a', name: 'one', arguments: '{"x":1}' }, { id: 'b', name: 'two', arguments: '{}' }),
    )
    expect((await round).toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: '{"x":1}' },
      { id: 'b', name: 'two', arguments: '{}' },
    ])
  })

  it('CHAT-47 an abort ends the call with its own reason', async () => {
    const abort = new AbortController()
    const closed = Promise.withResolvers<void>()
    const { round, texts } = await complete((response, request) => {
      beginStream(response).write(wireFormat(request).text('Begun'))
      response.on('close', () => closed.resolve())
    }, abort.signal)
    await vi.waitUntil(() => texts.length > 0)
    abort.abort(new Error('stop it'))
    await expect(round).rejects.toThrow('stop it')
    await closed.promise
  })
})

it('accepts the end of the stream from servers that give no reason, however its bytes are split', async () => {
  api = 'chat'
  const { round } = await complete((response, request) => {
    beginStream(response)
    response.write(wireFormat(request).text('Hello'))
    response.write('data: [DO')
    response.end('NE]\n\n')
  })
  expect(await round).toMatchObject({ text: 'Hello', truncated: false })
})
