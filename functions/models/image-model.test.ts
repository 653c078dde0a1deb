import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { writeEndlessly } from '../../test/support/endless-response.ts'
import { openImageModel } from './image-model.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An image model whose server responds with this URL; its own files are under /files/. */
async function modelResponding(
  toImageUrl: (ownOrigin: string) => string,
  file: RequestListener = (_, response) => response.end(png),
) {
  const requestedPaths: string[] = []
  const ownOrigin = await serve((request, response) => {
    requestedPaths.push(request.url ?? '')
    if (request.url?.startsWith('/files/')) file(request, response)
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data: [{ url: toImageUrl(ownOrigin) }] }))
  })
  const model = openImageModel({ baseUrl: `${ownOrigin}/v1`, model: 'painter', readKey: async () => 'k' })
  return { model, requestedPaths, make: () => model.generate('a cat', new AbortController().signal) }
}

describe('DEC-040 the URL in the response of an image model', () => {
  it('is fetched from the model’s own server, even at a private address', async () => {
    const { make } = await modelResponding((ownOrigin) => `${ownOrigin}/files/cat.png`)
    expect(await make()).toEqual({ bytes: new Uint8Array(png), type: 'image/png' })
  })

  it.each([
    'http://169.254.169.254/latest/meta-data/iam/security-credentials/',
    'https://169.254.169.254/x.png',
    'https://[::ffff:169.254.169.254]/x.png',
    'https://localhost/x.png',
    'https://10.0.0.8/x.png',
    'http://example.com/x.png',
    'https://user:secret@example.com/x.png',
    'file:///etc/passwd',
    'data:image/png;base64,iVBORw0KGgo=',
    'not an address',
  ])('is not followed to %s', async (url) => {
    const { make } = await modelResponding(() => url)
    await expect(make()).rejects.toThrow('an address that is not allowed')
  })

  it('is not followed to another port of the model’s own machine', async () => {
    const reachedPaths: string[] = []
    const otherOrigin = await serve((request, response) => {
      reachedPaths.push(request.url ?? '')
      response.end(png)
    })
    const { make } = await modelResponding(() => `${otherOrigin}/x.png`)
    await expect(make()).rejects.toThrow('an address that is not allowed')
    expect(reachedPaths).toEqual([])
  })

  it('is not followed through a redirect to a forbidden address', async () => {
    const { make, requestedPaths } = await modelResponding(
      (ownOrigin) => `${ownOrigin}/files/cat.png`,
      (_, response) => response.writeHead(302, { location: 'https://127.0.0.1/x.png' }).end(),
    )
    await expect(make()).rejects.toThrow('an address that is not allowed')
    expect(requestedPaths.at(-1)).toBe('/files/cat.png')
  })

  it('is no longer read when the file does not end', async () => {
    const { make } = await modelResponding(
      (ownOrigin) => `${ownOrigin}/files/cat.png`,
      (_, response) => {
        const block = Buffer.alloc(1024 * 1024)
        const more = () => {
          while (!response.destroyed && response.write(block));
          if (!response.destroyed) response.once('drain', more)
        }
        response.write(png)
        more()
      },
    )
    await expect(make()).rejects.toThrow('could not be fetched')
  })

  it.each<[string, RequestListener, string]>([
    ['is not there', (_, response) => response.writeHead(404).end(), 'could not be fetched'],
    ['is a page', (_, response) => response.end('<html><script>x</script>'), 'no usable image'],
    ['breaks off', (_, response) => (response.write(png), response.destroy()), 'could not be fetched'],
  ])('causes an error when the file %s', async (_, file, message) => {
    const { make } = await modelResponding((ownOrigin) => `${ownOrigin}/files/cat.png`, file)
    await expect(make()).rejects.toThrow(message)
  })
})

describe('an image in the response of an image model', () => {
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0, 1])
  const webp = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4), Buffer.from('WEBPVP8 ')])

  async function generate(body: object, status = 200) {
    const requests: unknown[] = []
    const ownOrigin = await serve((request, response) => {
      const { url, method, headers } = request
      void json(request).then((sent) => {
        requests.push([method, url, headers.authorization, sent])
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
    })
    const model = openImageModel({ baseUrl: `${ownOrigin}/v1`, model: 'painter', readKey: async () => '' })
    return { requests, image: model.generate('a cat', new AbortController().signal) }
  }

  it.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
  ])('is decoded: %s', async (type, bytes) => {
    const { image, requests } = await generate({ data: [{ b64_json: bytes.toString('base64') }] })
    expect(await image).toEqual({ bytes, type })
    expect(requests).toEqual([
      ['POST', '/v1/images/generations', 'Bearer none', { model: 'painter', prompt: 'a cat', n: 1 }],
    ])
  })

  // code-yeongyu/senpi#1260, csyqlz/VOZEB-PRO#32
  it.each([
    { b64_json: `data:image/png;base64,${png.toString('base64')}` },
    { b64_json: `data:image/jpeg;charset=utf-8;base64,${png.toString('base64')}` },
    { b64_json: png.toString('base64'), url: 'https://localhost/x.png' },
  ])('may be a data URL: %j', async (sent) => {
    expect(await (await generate({ data: [sent] })).image).toEqual({ bytes: png, type: 'image/png' })
  })

  it('has at most 20 MB', { tags: 'long' }, async () => {
    const bytes = Buffer.concat([png, Buffer.alloc(20 * 1024 * 1024 - png.length)])
    const { image } = await generate({ data: [{ b64_json: bytes.toString('base64') }] })
    expect((await image).bytes).toHaveLength(20 * 1024 * 1024)
    const larger = Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64')
    await expect((await generate({ data: [{ b64_json: larger }] })).image).rejects.toThrow('no usable image')
  })

  it.each([
    { data: [] },
    { data: null },
    { data: [{}] },
    { data: [{ b64_json: '', url: '' }] },
    { data: [{ b64_json: Buffer.from('<svg/>').toString('base64') }] },
  ])('is missing: %j', async (body) => {
    const { image } = await generate(body)
    await expect(image).rejects.toThrow('The image model gave no usable image.')
  })

  it('is missing when the model refuses, which the conversation’s model is told', async () => {
    const { image } = await generate({ error: { message: 'secret', code: 'content_policy_violation' } }, 400)
    await expect(image).rejects.toMatchObject({
      userMessage: expect.stringContaining("The model's content filter stopped this reply.") as string,
    })
  })
})

it('the URL may be one of a server that the operator allows', async () => {
  const otherOrigin = await serve((_, response) => response.end(png))
  const ownOrigin = await serve((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data: [{ url: `${otherOrigin}/cat.png` }] })),
  )
  const model = openImageModel({
    baseUrl: `${ownOrigin}/v1`,
    model: 'painter',
    readKey: async () => 'k',
    outboundAllow: otherOrigin.replace('http://', ''),
  })
  expect(await model.generate('a cat', new AbortController().signal)).toMatchObject({ type: 'image/png' })
})

// the usual ports, where nothing listens during tests
it.each([
  ['https://localhost/v1', 'https://localhost/x.png', true],
  ['https://localhost/v1', 'https://localhost:80/x.png', false],
  ['http://localhost/v1', 'http://localhost/x.png', true],
  ['http://localhost/v1', 'http://localhost:443/x.png', false],
])('the server at %s may name the URL %s: %s', async (baseUrl, url, isAllowed) => {
  vi.stubGlobal('fetch', async () => Response.json({ data: [{ url }] }))
  const model = openImageModel({ baseUrl, model: 'painter', readKey: async () => 'k' })
  const image = model.generate('a cat', new AbortController().signal)
  await expect(image).rejects.toThrow(
    isAllowed ? /^The image (could not be fetched from|model gave no usable)/ : 'that is not allowed',
  )
})

it('a request that was stopped ends with the reason', async () => {
  const { model } = await modelResponding((ownOrigin) => `${ownOrigin}/files/cat.png`)
  const stopped = new Error('stopped')
  await expect(model.generate('a cat', AbortSignal.abort(stopped))).rejects.toBe(stopped)
})

it('a file is not waited for when the reply is stopped', async () => {
  const stopping = new AbortController()
  const { model } = await modelResponding(
    (ownOrigin) => `${ownOrigin}/files/cat.png`,
    () => stopping.abort(new Error('stopped')),
  )
  await expect(model.generate('a cat', stopping.signal)).rejects.toThrow('stopped')
})

it('stops reading a response that does not end', async () => {
  const sentBytes = Promise.withResolvers<number>()
  const ownOrigin = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":[{"b64_json":"')
    sentBytes.resolve(writeEndlessly(response, Buffer.alloc(1_000_000, 'A')))
  })
  const model = openImageModel({ baseUrl: `${ownOrigin}/v1`, model: 'painter', readKey: async () => 'k' })
  await expect(model.generate('a cat', new AbortController().signal)).rejects.toMatchObject({
    userMessage: expect.stringContaining('could not be read') as string,
  })
  expect(await sentBytes.promise).toBeLessThan(40_000_000)
})
