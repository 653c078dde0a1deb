import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, it, vi } from 'vitest'
import { fetchPage } from './fetch-page.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closers.splice(0)) await close()
})

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const never = new AbortController().signal
const get = (host: string, path = '/') => fetchPage(`http://${host}${path}`, host, never)

it('follows at most five redirects, and names the last address', async () => {
  const paths: (string | undefined)[] = []
  const host = await serve(({ url = '' }, response) => {
    paths.push(url)
    const left = Number(url.slice(1))
    if (left > 0) response.writeHead(302, { location: `/${left - 1}#part` }).end()
    else response.writeHead(200, { 'content-type': 'Text/HTML; charset=utf-8' }).end('there')
  })
  expect(await get(host, '/5')).toMatchObject({
    url: `http://${host}/0`,
    declaredType: 'text/html',
    isCut: false,
  })
  await expect(get(host, '/6')).rejects.toThrow('redirected more than 5 times')
  expect(paths).toHaveLength(12)
})

it.each([
  'http://127.0.0.1:9/',
  'https://10.0.0.1/',
  'https://[::1]/',
  'http://169.254.169.254/latest',
  'file:///etc/passwd',
])('a redirect to %s is refused', async (location) => {
  const host = await serve((_, response) => response.writeHead(302, { location }).end())
  await expect(get(host)).rejects.toMatchObject({ code: 'address_forbidden' })
})

it.each([
  'http://127.0.0.1:9/',
  'http://localhost:8080/',
  'http://10.0.0.1/',
  'https://user:pass@a.example/',
])('%s is refused', async (address) => {
  await expect(fetchPage(address, undefined, never)).rejects.toMatchObject({ code: 'address_forbidden' })
})

it.each([401, 403, 404, 410, 429, 500, 503])('a %i is an error that names it', async (status) => {
  const host = await serve((_, response) => response.writeHead(status).end('<p>not the page</p>'))
  await expect(get(host)).rejects.toThrow(new RegExp(`127.*${status}`))
})

it('reads the first 10 MB of an endless body, and of one that is small until it is unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(11 * 1024 * 1024, 'a'))
  const host = await serve(({ url }, response) => {
    if (url === '/bomb') return response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    const part = Buffer.alloc(1024 * 1024, 'a')
    const more = () => {
      while (!response.destroyed && response.write(part));
      response.once('drain', more)
    }
    return more()
  })
  for (const path of ['/bomb', '/endless']) {
    const { bytes, isCut } = await get(host, path)
    expect([path, bytes.length, isCut]).toEqual([path, 10 * 1024 * 1024, true])
  }
})

it('a page that does not come in time says so', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() =>
    AbortSignal.abort(new DOMException('', 'TimeoutError')),
  )
  const host = await serve(() => undefined)
  await expect(get(host)).rejects.toThrow('did not come within 20 seconds')
})

it.each([
  ['shift_jis', [0x93, 0xfa], Buffer.from('日')],
  // wrong: the bytes are UTF-8
  ['iso-8859-1', [0xe6, 0x97, 0xa5], Buffer.from('日')],
  // wrong: no such bytes, or no such encoding
  ['euc-kr', [0x93, 0xff], Buffer.from([0x93, 0xff])],
  ['klingon', [0x93, 0xfa], Buffer.from([0x93, 0xfa])],
])('a header that says %s', async (charset, sent, expected) => {
  const body = Buffer.from(sent)
  const host = await serve((_, response) =>
    response.writeHead(200, { 'content-type': `text/plain; charset="${charset}"` }).end(body),
  )
  const { bytes } = await get(host)
  expect(Buffer.from(bytes)).toEqual(expected)
})
