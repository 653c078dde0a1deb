import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { writeEndlessly } from '../../../test/support/endless-response.ts'
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
  await expect(model.generate('a cat', new AbortController().signal)).rejects.toThrow('could not be read')
  expect(await sentBytes.promise).toBeLessThan(40_000_000)
})
