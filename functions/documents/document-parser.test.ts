import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { maxFileBytes } from '#shared/limits.ts'
import { pngOf } from '../../test/support/png-of.ts'
import { fetchObject } from './bucket-object.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A server that records the paths that are requested. */
async function serve(listener: RequestListener): Promise<{ origin: string; requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    listener(request, response)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** The handler after a cold start, for a bucket at this origin. */
async function importParser(origin: string) {
  vi.stubEnv('BUCKET_ORIGIN', origin)
  vi.resetModules()
  return (await import('./document-parser.ts')).handler
}

const formAt = (url: string) => ({ url, fields: { key: 'k', policy: 'p' } })
const addresses = (origin: string, path = '/original') => ({
  url: `${origin}${path}`,
  textForm: formAt(`${origin}/text`),
  indexForm: formAt(`${origin}/search`),
  picturesForm: formAt(`${origin}/pages`),
  tablesForm: formAt(`${origin}/tables`),
})

/** The file of a posted form, which is its last field. */
async function readForm(request: IncomingMessage): Promise<Buffer | undefined> {
  const body = Buffer.concat((await request.toArray()) as Buffer[])
  if (request.method !== 'POST') return undefined
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const fields = [...(await new Response(body, { headers }).formData())]
  expect(fields.map(([name]) => name)).toEqual(['key', 'policy', 'file'])
  const file = fields.at(-1)?.[1]
  return file instanceof File ? Buffer.from(await file.arrayBuffer()) : undefined
}

it('reads the object at its signed address, and stores its text and index at theirs', async () => {
  const stored: Record<string, Buffer> = {}
  const bucket = await serve((request, response) => {
    void readForm(request).then((file) => {
      if (file) stored[request.url ?? ''] = file
      response.end(file ? '' : 'hello')
    })
  })
  const parse = await importParser(bucket.origin)
  expect(await parse({ ...addresses(bucket.origin), kind: 'text' })).toEqual({
    extracted: {
      hasContent: true,
      beginning: 'hello',
      length: 5,
      text: {
        characters: 5,
        bytes: 5,
        parts: [[0, 0]],
        languages: expect.any(Array) as string[],
        isIndexed: true,
      },
    },
  })
  expect(stored['/text']?.toString()).toBe('hello')
  expect(stored['/search']?.subarray(0, 4).toString()).toBe('JIX1')
})

it('stores the tables of a document, and queries them at a signed address', async () => {
  const stored: Record<string, Buffer> = {}
  const csv = 'region,amount\nNorth,1\nSouth,2.5\n'
  const bucket = await serve((request, response) => {
    void readForm(request).then((file) => {
      if (file) stored[request.url ?? ''] = file
      response.end(file ? '' : (stored[request.url ?? ''] ?? csv))
    })
  })
  const parse = await importParser(bucket.origin)
  expect(await parse({ ...addresses(bucket.origin), kind: 'csv' })).toMatchObject({
    extracted: { tables: [{ range: 'A1:B3', rows: 2 }] },
  })
  const files = [{ url: `${bucket.origin}/tables`, names: { t1: 'sales' } }]
  expect(await parse({ sql: 'SELECT sum(amount) AS total FROM sales', files })).toEqual({
    columns: ['total'],
    rows: [[3.5]],
    total_rows: 1,
  })
  const broken = [{ url: `${bucket.origin}/text`, names: { t1: 'sales' } }]
  expect(await parse({ sql: 'SELECT 1', files: broken })).toHaveProperty('error')
})

it('queries no tables at another server (M7)', async () => {
  const [bucket, other] = await Promise.all([
    serve((_, response) => response.end('bucket')),
    serve((_, response) => response.end('secret')),
  ])
  const parse = await importParser(bucket.origin)
  const files = [{ url: `${other.origin}/tables`, names: { t1: 'sales' } }]
  await expect(parse({ sql: 'SELECT 1', files })).rejects.toThrow(/not one of the bucket/)
  expect(other.requests).toEqual([])
})

it('stores nothing of a document without content', async () => {
  const bucket = await serve((_, response) => response.end(' -- '))
  const parse = await importParser(bucket.origin)
  expect(await parse({ ...addresses(bucket.origin), kind: 'text' })).toMatchObject({
    extracted: { hasContent: false },
  })
  expect(bucket.requests).toEqual(['/original'])
})

it('fails when the text cannot be stored', async () => {
  const bucket = await serve((request, response) => {
    if (request.method === 'POST') response.writeHead(503)
    response.end('hello')
  })
  const parse = await importParser(bucket.origin)
  await expect(parse({ ...addresses(bucket.origin), kind: 'text' })).rejects.toThrow(
    'The bucket answered 503.',
  )
})

it.each([
  ['another server', (_: string, other: string) => `${other}/latest/meta-data`],
  [
    'the bucket’s name as user information',
    (bucket, other) => `${other.replace('//', `//${bucket.slice(7)}@`)}/x`,
  ],
  [
    'a host that begins like the bucket',
    (bucket) => `${bucket.replace('127.0.0.1', '127.0.0.1.example.org')}/x`,
  ],
  ['a file', () => 'file:///proc/self/environ'],
  ['a data address', () => 'data:text/plain,hello'],
] satisfies [string, (bucket: string, other: string) => string][])(
  'a parser that is given %s instead of the bucket sends no request (M7)',
  async (_, buildUrl) => {
    const [bucket, other] = await Promise.all([
      serve((__, response) => response.end('bucket')),
      serve((__, response) => response.end('secret')),
    ])
    const parse = await importParser(bucket.origin)
    const address = buildUrl(bucket.origin, other.origin)
    for (const name of ['url', 'textForm', 'indexForm', 'picturesForm', 'tablesForm']) {
      const changed = name === 'url' ? address : formAt(address)
      const request = { ...addresses(bucket.origin), kind: 'text', [name]: changed }
      await expect(parse(request)).rejects.toThrow(/not one of the bucket/)
    }
    expect([bucket.requests, other.requests]).toEqual([[], []])
  },
)

it('does not follow a redirect of the bucket to another server (M7)', async () => {
  const other = await serve((_, response) => response.end('secret'))
  const bucket = await serve((_, response) => response.writeHead(302, { location: other.origin }).end())
  const parse = await importParser(bucket.origin)
  await expect(parse({ ...addresses(bucket.origin), kind: 'text' })).rejects.toThrow('fetch failed')
  expect(other.requests).toEqual([])
})

it('distinguishes a missing object, one that is too large, and a bucket that fails', async () => {
  const bucket = await serve(({ url }, response) => {
    if (url === '/large') response.end(Buffer.alloc(100))
    else if (url === '/denied') response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    else if (url === '/skewed')
      response.writeHead(403).end('<Error><Code>RequestTimeTooSkewed</Code></Error>')
    else response.writeHead(Number(url?.slice(1))).end()
  })
  const fetchFrom = (path: string) =>
    fetchObject(bucket.origin + path, { origin: bucket.origin, maxBytes: 99 })
  expect(await fetchFrom('/404')).toBeUndefined()
  expect(await fetchFrom('/denied')).toBeUndefined()
  await expect(fetchFrom('/skewed')).rejects.toThrow('403 RequestTimeTooSkewed')
  await expect(fetchFrom('/large')).rejects.toMatchObject({ problem: 'tooLarge' })
  bucket.requests.length = 0
  await expect(fetchFrom('/503')).rejects.toThrow('503')
  expect(bucket.requests).toEqual(['/503', '/503', '/503'])
  const parse = await importParser(bucket.origin)
  expect(await parse({ ...addresses(bucket.origin, '/404'), kind: 'pdf' })).toEqual({ missing: true })
})

it('reports an unreadable document in its response, and rejects an invalid request', async () => {
  const bucket = await serve((_, response) => response.end('no PDF'))
  const parse = await importParser(bucket.origin)
  expect(await parse({ ...addresses(bucket.origin), kind: 'pdf' })).toEqual({
    problem: 'unreadable',
    kind: 'pdf',
  })
  for (const event of [{}, null, { url: bucket.origin, kind: 'exe' }, { url: 'x', kind: 'pdf' }])
    await expect(parse(event)).rejects.toThrow(z.ZodError)
})

it('accepts a document of the maximum upload size', async () => {
  const bucket = await serve((_, response) => response.end(Buffer.alloc(maxFileBytes, 'a')))
  const { origin } = bucket
  expect((await fetchObject(`${origin}/o`, { origin, maxBytes: maxFileBytes }))?.length).toBe(maxFileBytes)
})

it('makes a picture smaller, and rejects a request without limits', async () => {
  const parse = await importParser('http://127.0.0.1')
  const image = pngOf(60, 20).toString('base64')
  expect(await parse({ image, maxSide: 30, maxBytes: 10_000 })).toMatchObject({
    parts: [{ type: 'image/png' }, { type: 'image/png' }],
  })
  await expect(parse({ image })).rejects.toThrow('maxSide')
})
