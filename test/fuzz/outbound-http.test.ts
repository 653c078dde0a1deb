import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arbitraryText, fc, divideRuns, limitCpuTime } from '../support/fuzz.ts'
import { isForbiddenAddress } from '../../functions/platform/net/forbidden-addresses.ts'
import { AddressForbidden, OutboundFailed, outboundHttp } from '../../functions/platform/net/outbound-http.ts'

const ipv4Bytes = fc.ipV4().map((address) => address.split('.').map(Number))
const toNumber = (bytes: readonly number[]) => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

/** Private, loopback, link-local, multicast: independent rules, not the list under test. */
const isPrivate = ([a = 0, b = 0]: readonly number[]) =>
  a === 0 ||
  a === 10 ||
  a === 127 ||
  a >= 224 ||
  (a === 100 && b >= 64 && b < 128) ||
  (a === 169 && b === 254) ||
  (a === 172 && b >= 16 && b < 32) ||
  (a === 192 && b === 168) ||
  (a === 198 && (b === 18 || b === 19))

const privateV4 = fc.oneof(
  ipv4Bytes.filter(isPrivate),
  fc
    .tuple(
      fc.constantFrom([10], [127], [169, 254], [192, 168], [172, 20], [100, 100]),
      fc.array(fc.nat(255), { minLength: 3, maxLength: 3 }),
    )
    .map(([begin, rest]) => [...begin, ...rest].slice(0, 4)),
)

/** The notations of an IPv4 address in a URL. */
const listSpellings = (bytes: readonly number[]) => {
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const hex = (byte: number) => `0x${byte.toString(16)}`
  const pair = (high: number, low: number) => (high * 256 + low).toString(16)
  return [
    bytes.join('.'),
    `${bytes.join('.')}.`,
    String(toNumber(bytes)),
    `0x${toNumber(bytes).toString(16)}`,
    bytes.map(hex).join('.'),
    bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${toNumber([b, c, d])}`,
    `[::ffff:${bytes.join('.')}]`,
    `[::ffff:${pair(a, b)}:${pair(c, d)}]`,
    `[::${bytes.join('.')}]`,
    `[64:ff9b::${bytes.join('.')}]`,
    `[2002:${pair(a, b)}:${pair(c, d)}::1]`,
    bytes.join('。'),
    bytes.join('%2e'),
  ]
}

const { check } = outboundHttp()

function isRefused(address: string): boolean {
  try {
    check(address)
    return false
  } catch (error) {
    if (error instanceof AddressForbidden) return true
    throw error
  }
}

describe('addresses', () => {
  it('no spelling of a private address is called', () => {
    fc.assert(
      fc.property(privateV4, fc.constantFrom('', ':443', ':8080', '/path', '?a=b', '#x'), (bytes, rest) => {
        expect(isForbiddenAddress(bytes.join('.'))).toBe(true)
        for (const host of listSpellings(bytes))
          expect([host, isRefused(`https://${host}${rest}`)]).toEqual([host, true])
      }),
    )
  })

  it('an IPv6 address is forbidden or global unicast', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const url = URL.parse(`https://[${address}]`)
        const first = Number.parseInt(url?.hostname.slice(1) ?? '', 16)
        if (!isForbiddenAddress(address)) expect(first >= 0x2000 && first < 0x4000).toBe(true)
      }),
    )
  })

  it('any URL is refused, or https to a name or a public address, without a password', () => {
    const address = fc.oneof(
      arbitraryText(),
      fc.webUrl({
        validSchemes: ['https', 'http', 'ftp', 'file'],
        withQueryParameters: true,
        withFragments: true,
      }),
      fc
        .tuple(
          fc.constantFrom(
            'https:',
            'https://',
            'HTTPS://',
            'http://',
            '//',
            'javascript:',
            'data:',
            'file:///',
          ),
          arbitraryText(60),
        )
        .map(([scheme, rest]) => scheme + rest),
    )
    fc.assert(
      fc.property(address, (text) => {
        expect(isForbiddenAddress(text) || /^[\d.]+$|:/.test(text)).toBe(true)
        if (limitCpuTime(() => isRefused(text))) return
        const { protocol, username, password } = new URL(text)
        expect({ protocol, username, password }).toEqual({ protocol: 'https:', username: '', password: '' })
      }),
    )
  })
})

describe('responses of an arbitrary server', () => {
  let answer = { head: '', body: '' }
  const server = createServer()
  server.on('request', (_, response) => {
    response.socket?.end(`${answer.head}\r\n\r\n${answer.body}`)
  })
  let origin: string
  let http: ReturnType<typeof outboundHttp>
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    origin = `http://127.0.0.1:${port}`
    http = outboundHttp({ allow: [`127.0.0.1:${port}`], timeoutMs: 2_000 })
  })
  afterAll(async () => {
    await http.close()
    server.close()
  })

  const shortText = arbitraryText(40)
  const header = fc.tuple(
    fc.constantFrom(
      'location',
      'content-length',
      'content-type',
      'content-encoding',
      'transfer-encoding',
      'retry-after',
      'set-cookie',
      'x',
      '',
    ),
    fc.oneof(
      shortText,
      fc.constantFrom(
        'gzip',
        'chunked',
        '0',
        '-1',
        '99999999999',
        'http://[',
        '//',
        '/',
        'https://127.1/',
        'javascript:1',
      ),
    ),
  )

  it('are returned, or end in one of the product’s errors', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 100, max: 999 }),
        fc.array(header, { maxLength: 4 }),
        shortText,
        async (status, headers, body) => {
          answer = {
            head: [`HTTP/1.1 ${status} Odd`, ...headers.map(([name, value]) => `${name}: ${value}`)].join(
              '\r\n',
            ),
            body,
          }
          for (const method of ['GET', 'POST'])
            try {
              const { text } = await http.text(origin, {
                method,
                body: method === 'POST' ? 'x' : (undefined as never),
              })
              expect(typeof text).toBe('string')
            } catch (error) {
              if (!(error instanceof OutboundFailed) && !(error instanceof AddressForbidden)) throw error
            }
        },
      ),
      {
        ...divideRuns(1),
        examples: [
          [600, [], 'x'],
          [999, [], ''],
          [304, [], ''],
          [301, [['location', 'http://[']], ''],
        ],
      },
    )
  })
})
