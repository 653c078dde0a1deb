import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { LookupAddress } from 'node:dns'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { isForbiddenAddress } from './forbidden-addresses.ts'
import {
  type OutboundHttp,
  outboundHttp,
  type OutboundOptions,
  parseAllowList,
  ResponseTooLarge,
} from './outbound-http.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

function openHttp(options: OutboundOptions = {}): OutboundHttp {
  const http = outboundHttp(options)
  closers.unshift(() => http.close())
  return http
}

interface TestServer {
  url: string
  port: number
}

async function serve(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port }
}

const getHost = ({ port }: TestServer) => `127.0.0.1:${port}`

describe('addresses that are refused', () => {
  it.each([
    // loopback, in every notation that a URL knows
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://127.255.255.254/',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://0.0.0.0/',
    'https://0/',
    // private, carrier-grade NAT, link-local with the metadata service, multicast, reserved, documentation, benchmarks
    'https://10.0.0.1/',
    'https://10.255.255.255/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.0.1/',
    'https://100.64.0.1/',
    'https://100.127.255.255/',
    'https://169.254.169.254/',
    'https://0xa9fea9fe/',
    'https://2852039166/',
    'https://224.0.0.1/',
    'https://239.255.255.250/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://192.0.0.8/',
    'https://192.0.2.1/',
    'https://198.18.0.1/',
    'https://198.51.100.1/',
    'https://203.0.113.1/',
    'https://192.88.99.1/',
    // IPv6: loopback, unspecified, mapped, compatible, NAT64, 6to4, Teredo, unique local, link-local, site-local, multicast, documentation
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::127.0.0.1]/',
    'https://[::7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b::8.8.8.8]/',
    'https://[64:ff9b:1::a00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:a00:1::1]/',
    'https://[2001::1]/',
    'https://[2001:0:a00:1::]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
    'https://[3fff::1]/',
    'https://[100::1]/',
    'https://[::ffff:0:127.0.0.1]/',
    // not https, or with credentials, or nothing
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'javascript:1',
    'https://user:pass@example.com/',
    'https://user@example.com/',
    '',
    'example.com',
    '//example.com',
    'https://',
    'https://[::1',
    'https://exa mple.com',
  ])('%s', async (address) => {
    const http = openHttp({ lookup: () => expect.unreachable('nothing may be looked up') })
    expect(() => http.check(address)).toThrow('')
    await expect(http.request(address)).rejects.toMatchObject({ code: 'address_forbidden', status: 400 })
  })

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.0.1',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('the control: %s is public', (address) => {
    expect(isForbiddenAddress(address)).toBe(false)
  })

  it.each(['fe80::1%eth0', 'example.com', '', '1.2.3', '::1%1'])(
    'refuses what is not an address: %j',
    (address) => {
      expect(isForbiddenAddress(address)).toBe(true)
    },
  )
})

describe('names', () => {
  const openWithLookups = (...lookups: LookupAddress[][]) => {
    let count = 0
    const options: OutboundOptions = {
      lookup(_, __, done) {
        done(null, lookups[Math.min(count, lookups.length - 1)] ?? [])
        count += 1
      },
    }
    return { http: openHttp(options), countLookups: () => count }
  }
  const v4 = (address: string) => ({ address, family: 4 })

  it.each([
    ['a private address', [v4('10.0.0.1')]],
    ['a private one among public ones', [v4('8.8.8.8'), v4('192.168.1.1')]],
    ['the metadata service', [v4('169.254.169.254')]],
    ['a mapped address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
  ])('that resolve to %s are refused', async (_, addresses) => {
    await expect(openWithLookups(addresses).http.request('https://rebind.example/')).rejects.toMatchObject({
      code: 'address_forbidden',
    })
  })

  it('that change between the check and the connection are refused, because one lookup serves both', async () => {
    // the first lookup is checked; a second lookup for the connection would find the loopback address
    const { http, countLookups } = openWithLookups([v4('192.0.2.7')], [v4('127.0.0.1')])
    await expect(http.request('https://rebind.example/')).rejects.toMatchObject({ code: 'address_forbidden' })
    expect(countLookups()).toBe(1)
  })

  it('without an address fail', async () => {
    await expect(openWithLookups([]).http.request('https://nowhere.example/')).rejects.toMatchObject({
      code: 'outbound_failed',
    })
  })
})

describe('requests', () => {
  it('OUTBOUND_ALLOW lets only the named hosts through', async () => {
    const server = await serve((_, response) => response.end('hello'))
    const http = openHttp({ allow: parseAllowList(` ${getHost(server)} , other.example:8443,`) })
    expect(await http.text(`${server.url}/x`)).toMatchObject({ status: 200, text: 'hello' })
    await expect(http.request(`http://127.0.0.1:${server.port + 1}/`)).rejects.toMatchObject({
      code: 'address_forbidden',
    })
    await expect(http.request(`http://localhost:${server.port}/`)).rejects.toMatchObject({
      code: 'address_forbidden',
    })
    expect(parseAllowList(undefined)).toEqual([])
  })

  it('an entry of OUTBOUND_ALLOW with a path lets through what is below it, and nothing else of the host', async () => {
    const server = await serve((_, response) => response.end('hello'))
    const http = openHttp({ allow: parseAllowList(`${getHost(server)}/local/push/`) })
    expect(await http.text(`${server.url}/local/push/x`)).toMatchObject({ status: 200 })
    for (const path of [
      '/',
      '/local/push',
      '/local/pushes/',
      '/local/mail.json',
      '/local/push/../mail.json',
      '/local/push/%2e%2e/mail.json',
      '//local/push/',
    ])
      await expect(http.request(server.url + path)).rejects.toMatchObject({ code: 'address_forbidden' })
  })

  it.each([
    'https://127.0.0.1:9/',
    'https://10.0.0.1/',
    'http://example.com/',
    'https://[::1]/',
    'file:///etc/passwd',
  ])('a redirect to %s is refused', async (location) => {
    const server = await serve((_, response) => response.writeHead(302, { location }).end())
    const http = openHttp({ allow: [getHost(server)] })
    await expect(http.request(server.url)).rejects.toMatchObject({ code: 'address_forbidden' })
  })

  it('redirects are limited, and carry no credentials to another origin', async () => {
    const credentials: (string | undefined)[] = []
    const target = await serve((request, response) => {
      credentials.push(request.headers.authorization, request.headers['x-api-key'] as string | undefined)
      response.end('there')
    })
    const first = await serve((request, response) =>
      response.writeHead(307, { location: request.url === '/loop' ? '/loop' : target.url }).end(),
    )
    const http = openHttp({ allow: [getHost(first), getHost(target)] })
    const headers = { authorization: 'Bearer canary', 'x-api-key': 'canary' }
    expect(await http.text(first.url, { headers })).toMatchObject({ text: 'there' })
    expect(credentials).toEqual([undefined, undefined])
    await expect(http.request(`${first.url}/loop`)).rejects.toMatchObject({ code: 'outbound_failed' })
  })

  it.each([307, 308, 301])('a %i carries no body to another origin (L4)', async (status) => {
    const requests: string[] = []
    const redirect = (request: IncomingMessage, response: ServerResponse, serverName: string) => {
      let body = ''
      request.on('data', (part) => (body += String(part)))
      request.on('end', () => {
        requests.push(`${serverName} ${request.method} ${body}`)
        if (request.url === '/there') response.end('there')
        else
          response
            .writeHead(status, { location: request.url === '/home' ? '/there' : `${target.url}/there` })
            .end()
      })
    }
    const target = await serve((request, response) => redirect(request, response, 'other'))
    const first = await serve((request, response) => redirect(request, response, 'own'))
    const http = openHttp({ allow: [getHost(first), getHost(target)] })
    const init = { method: 'PUT', body: 'client_secret=S&refresh_token=R' }
    await expect(http.request(`${first.url}/away`, init)).rejects.toMatchObject({ code: 'outbound_failed' })
    expect(requests).toEqual([`own PUT ${init.body}`])
    expect((await http.request(`${first.url}/home`, init)).status).toBe(200)
    expect(requests.at(-1)).toBe(`own PUT ${init.body}`)
  })

  it('a request with secrets may not be redirected at all (L4)', async () => {
    const paths: (string | undefined)[] = []
    const server = await serve((request, response) => {
      paths.push(request.url)
      response.writeHead(303, { location: '/there' }).end()
    })
    const http = openHttp({ allow: [getHost(server)] })
    const failure = { code: 'outbound_failed' }
    await expect(http.request(server.url, { redirect: 'error' })).rejects.toMatchObject(failure)
    await expect(http.fetch(server.url, { redirect: 'error' })).rejects.toMatchObject(failure)
    expect(await http.request(server.url, { redirect: 'manual' })).toMatchObject({ status: 303 })
    expect(paths).toEqual(['/', '/', '/'])
  })

  it('the size limit counts bytes after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(5 * 1024 * 1024))
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    expect(bomb.length).toBeLessThan(10_000)
    const http = openHttp({ allow: [getHost(server)], maxBytes: 1024 * 1024 })
    await expect(http.text(server.url)).rejects.toBeInstanceOf(ResponseTooLarge)
    const httpWithRoom = openHttp({ allow: [getHost(server)], maxBytes: 6 * 1024 * 1024 })
    expect((await httpWithRoom.text(server.url)).text).toHaveLength(5 * 1024 * 1024)
  })

  it('the timeout applies before the response and during it', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/body') response.writeHead(200).write('begun')
    })
    const http = openHttp({ allow: [getHost(server)], timeoutMs: 100 })
    await expect(http.text(server.url)).rejects.toMatchObject({ code: 'outbound_failed', status: 502 })
    await expect(http.text(`${server.url}/body`)).rejects.toMatchObject({ code: 'outbound_failed' })
  })

  it('fetch sends method, headers and body', async () => {
    const server = await serve((request, response) => {
      request.setEncoding('utf8').on('data', (body: string) => {
        response.writeHead(201, { 'x-seen': [request.method, request.headers['x-a']].join(' ') }).end(body)
      })
    })
    const { fetch } = openHttp({ allow: [getHost(server)] })
    const response = await fetch(server.url, { method: 'POST', headers: { 'x-a': '1' }, body: 'sent' })
    expect([response.status, response.headers.get('x-seen'), await response.text()]).toEqual([
      201,
      'POST 1',
      'sent',
    ])
  })

  it.each([
    ['parameters', (url: string) => [url, { method: 'POST', body: new URLSearchParams({ a: '1 2' }) }]],
    ['a request', (url: string) => [new Request(url, { method: 'POST', body: 'a=1+2' })]],
    ['bytes', (url: string) => [url, { method: 'POST', body: new TextEncoder().encode('a=1+2') }]],
    ['a request with options', (url: string) => [new Request(url), { method: 'POST', body: 'a=1+2' }]],
  ] as const)('fetch sends a body given as %s', async (_, buildArguments) => {
    const server = await serve((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      request.on('end', () => response.end(`${request.method} ${body}`))
    })
    const { fetch } = openHttp({ allow: [getHost(server)] })
    const response = await fetch(...(buildArguments(server.url) as Parameters<typeof fetch>))
    expect(await response.text()).toBe('POST a=1+2')
  })
})
