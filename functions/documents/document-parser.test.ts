import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { maxFileBytes } from '#shared/limits.ts'
import { DocumentError } from './extracted-text.ts'
import { fetchObject } from './fetch-object.ts'
import { fitIntoResponse } from './parser-contract.ts'

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

it('reads the object at the signed URL', async () => {
  const bucket = await serve((_, response) => response.end('hello'))
  const parse = await importParser(bucket.origin)
  expect(await parse({ url: `${bucket.origin}/users/a/b/original?X-Amz-Signature=s`, kind: 'text' })).toEqual(
    {
      extracted: { text: 'hello', length: 5 },
    },
  )
  expect(bucket.requests).toEqual(['/users/a/b/original?X-Amz-Signature=s'])
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
    const url = buildUrl(bucket.origin, other.origin)
    await expect(parse({ url, kind: 'text' })).rejects.toThrow(/not one of the bucket/)
    expect([bucket.requests, other.requests]).toEqual([[], []])
  },
)

it('does not follow a redirect of the bucket to another server (M7)', async () => {
  const other = await serve((_, response) => response.end('secret'))
  const bucket = await serve((_, response) => response.writeHead(302, { location: other.origin }).end())
  const parse = await importParser(bucket.origin)
  await expect(parse({ url: `${bucket.origin}/o`, kind: 'text' })).rejects.toThrow('fetch failed')
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
  expect(await parse({ url: `${bucket.origin}/404`, kind: 'pdf' })).toEqual({ missing: true })
})

it('reports an unreadable document in its response, and rejects an invalid request', async () => {
  const bucket = await serve((_, response) => response.end('no PDF'))
  const parse = await importParser(bucket.origin)
  expect(await parse({ url: `${bucket.origin}/o`, kind: 'pdf' })).toEqual({
    problem: 'unreadable',
    kind: 'pdf',
  })
  for (const event of [{}, null, { url: bucket.origin, kind: 'exe' }, { url: 'x', kind: 'pdf' }])
    await expect(parse(event)).rejects.toThrow(z.ZodError)
})

it('cuts a text to the size of a response by its bytes, not by its characters', () => {
  const countBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  const cases = {
    Latin: 'a'.repeat(1_000_000),
    CJK: '語'.repeat(1_000_000),
    // six bytes each, as JSON writes them
    'control characters': '\u0001'.repeat(1_000_000),
    emoji: '🙂'.repeat(500_000),
  }
  for (const [name, text] of Object.entries(cases)) {
    const ends = [10, text.length]
    const fitted = fitIntoResponse({ text, length: text.length, pages: { ends, total: 2 } })
    expect([name, countBytes(fitted) <= 5_500_000]).toEqual([name, true])
    expect(fitted.length).toBe(text.length)
    expect(text.startsWith(fitted.text)).toBe(true)
    expect(fitted.text.isWellFormed()).toBe(true)
    // a page that was cut off was not read
    expect(fitted.pages?.ends).toEqual(fitted.text.length === text.length ? ends : [10])
  }
  const pages = { ends: Array.from({ length: 100 }, () => 0), total: 100 }
  expect(() => fitIntoResponse({ text: '', length: 0, pages }, 50)).toThrow(DocumentError)
})

it('keeps a text that just fits into a response, and the pages that are whole', () => {
  const whole = { text: 'a'.repeat(100), length: 100, pages: { ends: [50, 51, 100], total: 3 } }
  const bytes = JSON.stringify(whole).length
  expect(fitIntoResponse(whole, bytes)).toEqual(whole)
  expect(fitIntoResponse(whole, bytes - 1)).toEqual({
    text: 'a'.repeat(50),
    length: 100,
    pages: { ends: [50], total: 3 },
  })
  const plain = { text: 'a'.repeat(100), length: 100 }
  expect(fitIntoResponse(plain, 100)).toEqual({ text: 'a'.repeat(50), length: 100 })
  expect(() => fitIntoResponse(plain, 10)).toThrow(expect.objectContaining({ problem: 'tooLarge' }))
})

it('accepts a document of the maximum upload size', async () => {
  const bucket = await serve((_, response) => response.end(Buffer.alloc(maxFileBytes, 'a')))
  const { origin } = bucket
  expect((await fetchObject(`${origin}/o`, { origin, maxBytes: maxFileBytes }))?.length).toBe(maxFileBytes)
})
