import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { Agent, fetch as undiciFetch, type Dispatcher } from 'undici'
import { platformSentences, sayPlatform } from '#shared/sentences/platform.ts'
import { AppError, defineErrors } from '../errors.ts'
import { isForbiddenAddress } from './forbidden-addresses.ts'

export const { AddressForbidden } = defineErrors(platformSentences, {
  /** The product must not call this address. */
  AddressForbidden: [400, 'address_forbidden'],
})

/** No response, a late one, or one that is too large. */
export class OutboundFailed extends AppError {
  readonly status = 502

  constructor(detail: string, options?: { cause?: unknown }, sentence = sayPlatform('outbound_failed')) {
    super(sentence, detail, options)
  }
}

/** A response of more bytes than are read. */
export class ResponseTooLarge extends OutboundFailed {
  constructor(detail: string, options?: { cause?: unknown }) {
    super(detail, options, sayPlatform('outbound_failed.too_large'))
  }
}

type Lookup = (
  hostname: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export interface OutboundOptions {
  /** what may be private and plain http: `host:port`, or `host:port/path/` for what is below a path; OUTBOUND_ALLOW */
  allow?: readonly string[]
  /** for the whole call, body included */
  timeoutMs?: number
  /** after decompression */
  maxBytes?: number
  /** http is called too, at public addresses alone: for pages, which carry no secrets */
  allowPlainHttp?: boolean
  /** resolves names to addresses; the system's resolver by default */
  lookup?: Lookup
}

export interface OutboundRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** a body that is no text; it does not follow redirects */
  data?: Uint8Array
  signal?: AbortSignal | undefined
  /** `error`: for requests that carry secrets; `manual`: the redirect is the answer */
  redirect?: 'follow' | 'error' | 'manual' | undefined
  /** a POST stays one after 301 and 302 (RFC 9110 section 15.4.2 lets a client choose), for protocols that know no other method */
  keepMethod?: boolean | undefined
}

const maxRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

/** The values of OUTBOUND_ALLOW, `host:port` or `host:port/path/`, with commas between them. */
export function parseAllowList(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
}

/**
 * Calls addresses that users or registries choose. Only https to public addresses; the connection goes to the address that was checked;
 * each redirect is checked again; time, bytes and redirects are limited.
 */
export function outboundHttp(options: OutboundOptions = {}) {
  const { timeoutMs = 10_000, maxBytes = 2 * 1024 * 1024 } = options
  const allow = options.allow ?? []
  const isAllowed = ({ hostname, pathname }: URL, port: string) =>
    allow.some((entry) =>
      entry.endsWith('/')
        ? `${hostname}:${port}${pathname}`.startsWith(entry)
        : entry === `${hostname}:${port}`,
    )
  const guardedAgent = new Agent({
    connect: { lookup: guardLookup(options.lookup ?? systemLookup), timeout: timeoutMs },
    bodyTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    maxHeaderSize: 32 * 1024,
  })
  const unguardedAgent = new Agent({ connect: { timeout: timeoutMs }, headersTimeout: timeoutMs })

  /** @throws AddressForbidden */
  function selectAgent(url: URL): Dispatcher {
    if (url.username || url.password) throw new AddressForbidden('an address with a user name or password')
    const port = url.port || (url.protocol === 'http:' ? '80' : '443')
    if ((url.protocol === 'http:' || url.protocol === 'https:') && isAllowed(url, port)) return unguardedAgent
    const isPlain = options.allowPlainHttp === true && url.protocol === 'http:'
    if (url.protocol !== 'https:' && !isPlain) throw new AddressForbidden(`${url.protocol} is not https`)
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    // literals are not looked up
    if (isIP(literal) && isForbiddenAddress(literal)) throw new AddressForbidden('the address is not public')
    return guardedAgent
  }

  /**
   * Calls an address. The response's body fails when it grows too large or takes too long.
   * @throws AddressForbidden, OutboundFailed
   */
  async function request(address: string | URL, init: OutboundRequest = {}): Promise<Response> {
    const deadline = AbortSignal.timeout(timeoutMs)
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline
    let url = parse(address)
    let { method = 'GET', headers = {}, body } = init
    for (let hop = 0; ; hop += 1) {
      const sent = init.data ?? body
      const response = await send(url, selectAgent(url), { method, headers, body: sent, signal })
      const location = response.headers.get('location')
      if (!redirects.has(response.status) || !location || init.redirect === 'manual')
        return toResponse(response, maxBytes, signal)
      await response.body?.cancel()
      if (init.data || hop === maxRedirects)
        throw new OutboundFailed(`more than ${init.data ? 0 : maxRedirects} redirects`)
      if (init.redirect === 'error') throw new OutboundFailed('the server responded with a redirect')
      const next = parse(location, url)
      if (response.status === 303 || (response.status <= 302 && method === 'POST' && !init.keepMethod)) {
        method = method === 'HEAD' ? 'HEAD' : 'GET'
        body = undefined
        headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-/i.test(name)))
      }
      if (next.origin !== url.origin) {
        // a body is meant for one server: it may contain a code, a client secret or a tool's arguments
        if (body !== undefined) throw new OutboundFailed('a body was redirected to another server')
        headers = dropCredentials(headers)
      }
      url = next
    }
  }

  async function bytes(address: string | URL, init: OutboundRequest = {}) {
    const response = await request(address, init)
    try {
      return {
        status: response.status,
        headers: response.headers,
        body: new Uint8Array(await response.arrayBuffer()),
      }
    } catch (error) {
      if (error instanceof OutboundFailed) throw error
      throw new OutboundFailed('the answer broke off', { cause: error })
    }
  }

  return {
    request,
    /** Checks an address without calling it. @throws AddressForbidden */
    check: (address: string) => void selectAgent(parse(address)),
    bytes,
    async text(address: string | URL, init: OutboundRequest = {}) {
      const { body, ...head } = await bytes(address, init)
      return { ...head, text: new TextDecoder().decode(body) }
    },
    /** with the signature of the platform's fetch, for libraries that accept one; a body is sent as text */
    fetch: async (
      input: string | URL | Request,
      init?: RequestInit & Pick<OutboundRequest, 'keepMethod'>,
    ): Promise<Response> => {
      // whatever forms of body and headers a library uses, the platform turns them into one
      const given = new Request(input, init)
      const body = given.body === null ? undefined : await given.text()
      return request(given.url, {
        method: given.method,
        headers: Object.fromEntries(given.headers),
        ...(body !== undefined && { body }),
        signal: given.signal,
        redirect: given.redirect === 'error' ? 'error' : 'follow',
        keepMethod: init?.keepMethod,
      })
    },
    async close() {
      await Promise.all([guardedAgent.destroy(), unguardedAgent.destroy()])
    },
  }
}

export type OutboundHttp = ReturnType<typeof outboundHttp>

function parse(address: string | URL, base?: URL): URL {
  const url = URL.parse(String(address), base?.href)
  if (!url) throw new AddressForbidden('not a URL')
  return url
}

async function send(
  url: URL,
  dispatcher: Dispatcher,
  {
    method,
    headers,
    body,
    signal,
  }: {
    method: string
    headers: Record<string, string>
    body: string | Uint8Array | undefined
    signal: AbortSignal
  },
) {
  try {
    return await undiciFetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      dispatcher,
      redirect: 'manual',
      signal,
    })
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      if (cause instanceof AddressForbidden) throw cause
    throw new OutboundFailed('there was no answer', { cause: error })
  }
}

/** Every address of a name has to be public, because any of them may be connected to. */
function guardLookup(lookup: Lookup) {
  return (
    hostname: string,
    { all }: { all?: boolean | undefined },
    done: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ) => {
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const [first] = addresses
      if (!first) return done(new Error('the name has no address'), [])
      const forbidden = addresses.find(({ address }) => isForbiddenAddress(address))
      if (forbidden) return done(new AddressForbidden('the name leads to an address that is not public'), [])
      if (all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}

function dropCredentials(headers: Record<string, string>): Record<string, string> {
  const allowedHeaders = new Set(['accept', 'content-type', 'user-agent', 'mcp-protocol-version'])
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => allowedHeaders.has(name.toLowerCase())),
  )
}

function toResponse(
  response: Awaited<ReturnType<typeof undiciFetch>>,
  maxBytes: number,
  signal: AbortSignal,
): Response {
  // servers may send any three digits
  if (response.status > 599) {
    void response.body?.cancel().catch(() => undefined)
    throw new OutboundFailed(`a response with the status ${response.status}`)
  }
  const headers = [...response.headers].map(([name, value]): [string, string] => [name, value])
  const empty = response.body === null || [101, 204, 205, 304].includes(response.status)
  return new Response(empty ? null : capBody(response.body as AsyncIterable<Uint8Array>, maxBytes, signal), {
    status: response.status,
    headers,
  })
}

function capBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  let size = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
        if (done) return controller.close()
        size += value.byteLength
        if (size > maxBytes) throw new ResponseTooLarge(`a response of more than ${maxBytes} bytes`)
        controller.enqueue(value)
      } catch (error) {
        await iterator.return?.()
        controller.error(
          error instanceof OutboundFailed
            ? error
            : new OutboundFailed(signal.aborted ? 'the answer took too long' : 'the answer broke off', {
                cause: error,
              }),
        )
      }
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
