import { sayOwnTool } from '#shared/sentences/own-tools.ts'
import { isUtf8 } from '../../files/text-bytes.ts'
import { outboundHttp, parseAllowList, type OutboundHttp } from '../../platform/net/outbound-http.ts'
import { ToolError } from '../../platform/tool-error.ts'

const maxRedirects = 5
const timeoutMs = 20_000
const maxBytes = 10 * 1024 * 1024
const redirects = new Set([301, 302, 303, 307, 308])

/** Some servers answer nothing to a client without a name. */
const headers = {
  'user-agent': 'Mozilla/5.0 (compatible; JunoAssistant; reads one page for a person)',
  accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8',
}

export interface FetchedPage {
  /** after redirects, without its fragment */
  url: string
  /** as the server declares it, without parameters */
  declaredType: string
  bytes: Uint8Array<ArrayBuffer>
  /** the body goes on */
  isCut: boolean
}

/**
 * Fetches what is behind an address, without cookies: each redirect is checked anew.
 * @throws AddressForbidden, OutboundFailed, ToolError with the status of an error
 */
export async function fetchPage(
  address: string,
  outboundAllow: string | undefined,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const http = outboundHttp({
    allow: parseAllowList(outboundAllow),
    allowPlainHttp: true,
    timeoutMs,
    // the body is cut below
    maxBytes: Infinity,
  })
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    return await follow(http, address, AbortSignal.any([signal, deadline]))
  } catch (error) {
    if (deadline.aborted) throw new ToolError(sayOwnTool('own_tool.page_late', { seconds: timeoutMs / 1000 }))
    throw error
  } finally {
    await http.close()
  }
}

async function follow(http: OutboundHttp, address: string, signal: AbortSignal): Promise<FetchedPage> {
  let url = new URL(address)
  for (let hop = 0; ; hop += 1) {
    const response = await http.request(url, { headers, signal, redirect: 'manual' })
    const location = redirects.has(response.status) ? response.headers.get('location') : null
    if (location === null) return readBody(url, response)
    await response.body?.cancel()
    if (hop === maxRedirects)
      throw new ToolError(sayOwnTool('own_tool.page_redirects', { host: url.host, max: maxRedirects }))
    const next = URL.parse(location, url.href)
    if (!next)
      throw new ToolError(sayOwnTool('own_tool.page_status', { host: url.host, status: response.status }))
    next.hash = ''
    url = next
  }
}

async function readBody(url: URL, response: Response): Promise<FetchedPage> {
  const { status } = response
  if (!response.ok) {
    await response.body?.cancel()
    throw new ToolError(
      status === 401
        ? sayOwnTool('own_tool.page_sign_in', { host: url.host, status })
        : sayOwnTool('own_tool.page_status', { host: url.host, status }),
    )
  }
  const { bytes, isCut } = await readStart(response)
  const [type = '', ...typeParameters] = (response.headers.get('content-type') ?? '').toLowerCase().split(';')
  const charset = typeParameters
    .map((one) => /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/.exec(one)?.[1])
    .find(Boolean)
  return { url: url.href, declaredType: type.trim(), bytes: toUtf8(bytes, charset), isCut }
}

async function readStart({ body }: Response) {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    const room = maxBytes - size
    chunks.push(chunk.length > room ? chunk.slice(0, room) : chunk)
    size += chunk.length
    // leaving the loop ends the response
    if (size > maxBytes) break
  }
  return { bytes: new Uint8Array(await new Blob(chunks).arrayBuffer()), isCut: size > maxBytes }
}

/** The reader of documents sees no headers: a text whose encoding only its header names is given to it as UTF-8. */
function toUtf8(bytes: Uint8Array<ArrayBuffer>, charset: string | undefined): Uint8Array<ArrayBuffer> {
  if (charset === undefined || isUtf8(bytes)) return bytes
  try {
    return new TextEncoder().encode(new TextDecoder(charset, { fatal: true }).decode(bytes))
  } catch {
    // the header is wrong, or names what nobody knows: the bytes decide
    return bytes
  }
}
