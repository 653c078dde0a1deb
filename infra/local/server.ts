import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { PublicModel } from '#shared/models.ts'
import { isDiagramFramePath } from '#shared/diagram-frame.ts'
import { buildClientDocument, clientDocumentPath } from '#shared/oauth-client.ts'
import { isSharedPath } from '#shared/share-link.ts'
import { diagramFrameHeaders, sharedPageHeaders } from '../aws/security-headers.ts'
import { buildWebManifest, webManifestPath } from '../aws/web-manifest.ts'
import { errorResponse } from '../../functions/platform/http/error-response.ts'
import { BodyTooLarge, RouteNotFound } from '../../functions/platform/errors.ts'
import { respondWithError, type Gateway } from './gateway.ts'
import { ForeignHost, MalformedRequest, ShuttingDown } from './gateway-errors.ts'
import { mailboxPath, mailListPath, mailPage, subscribePath } from './mail-page.ts'
import type { Mailbox } from './mailbox.ts'
import type { PageHandler } from './page-handler.ts'
import { pushPath, type PushService } from './push-service.ts'
import { readBody } from './read-body.ts'

/** What the server serves. */
export interface Site {
  gateway: Gateway
  page: PageHandler
  mailbox: Pick<Mailbox, 'list'>
  pushService: Pick<PushService, 'list' | 'receive'>
  /** receives the pushes of an account from now on; whether there is one */
  subscribe: (email: string) => Promise<boolean>
  origin: string
  /** the content of `/config.json` */
  config: Record<string, unknown> & { brandName: string }
  /** where the model's server lists them */
  listModels?: () => Promise<readonly PublicModel[]>
  /** of every response */
  headers: Record<string, string>
}

/**
 * The product's one origin: functions under /api and /functions, mails and pushes under /local, the page elsewhere.
 * Requests that come before the site is ready wait for it.
 */
export function createLocalServer(site: Promise<Site>): Server {
  const server = createServer((request, response) => {
    serve(site, request, response).catch((error: unknown) => respondWithError(response, error))
  })
  server.on('clientError', refuseMalformed)
  // A stream may be idle for long, and a large body may take long.
  server.requestTimeout = 0
  return server
}

async function serve(
  pending: Promise<Site>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const site = await pending.catch((error: unknown) => {
    throw new ShuttingDown('the start failed', { cause: error })
  })
  const url = requestUrl(request)
  for (const [name, value] of Object.entries(headersFor(url.pathname, site.headers)))
    response.setHeader(name, value)
  const [, area] = url.pathname.split('/')
  if (area === 'api' || area === 'functions') return site.gateway.respond(request, response, url)
  if (area === 'local') return serveLocal(site, request, response, url)
  if (url.pathname === '/config.json') {
    const models = await site.listModels?.()
    return sendJson(request, response, { ...site.config, ...(models && { models }) })
  }
  if (url.pathname === clientDocumentPath) {
    const document = buildClientDocument({ origin: site.origin, name: site.config.brandName })
    return sendJson(request, response, document)
  }
  if (url.pathname === webManifestPath)
    return sendJson(request, response, buildWebManifest(site.config.brandName))
  return site.page(request, response, url)
}

/** The same headers as the distribution's policies. */
function headersFor(pathname: string, headers: Site['headers']): Site['headers'] {
  if (isSharedPath(pathname)) return sharedPageHeaders(headers)
  return isDiagramFramePath(pathname) ? diagramFrameHeaders(headers) : headers
}

function requestUrl(request: IncomingMessage): URL {
  const target = request.url ?? '/'
  const url = URL.parse(target.startsWith('/') ? `http://localhost${target}` : target)
  if (!url) throw new MalformedRequest(`target ${target.slice(0, 100)}`)
  return url
}

async function serveLocal(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  { pathname, searchParams }: URL,
): Promise<void> {
  const { mailbox, pushService } = site
  const to = searchParams.get('to') ?? undefined
  const isPost = request.method === 'POST'
  if (pathname === mailListPath) sendJson(request, response, mailbox.list(to))
  else if (pathname === '/local/push.json') sendJson(request, response, pushService.list(to))
  else if (pathname === mailboxPath) {
    const refused = searchParams.get('refused') ?? undefined
    const page = mailPage({ mails: mailbox.list(), pushes: pushService.list(), refused })
    send(request, response, 'text/html', page)
  } else if (pathname === subscribePath && isPost) await subscribe(site, request, response)
  else if (pathname.startsWith(pushPath) && isPost) {
    const body = await readPush(request)
    const authorization = request.headers.authorization ?? ''
    response.writeHead(await pushService.receive(pathname, { authorization, body })).end()
  } else throw new RouteNotFound(pathname)
}

/** What push services have to take (RFC 8030 section 7.2), and more than a form has. */
const maxPushBytes = 4_096

const readPush = (request: IncomingMessage) =>
  readBody(request, maxPushBytes, (bytes) => new BodyTooLarge(`${bytes} bytes`))

/** The form of the page of mails; other sites may not send it. */
async function subscribe(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // the origin is null without a referrer
  const from = request.headers['sec-fetch-site']
  if (from !== undefined && from !== 'same-origin') throw new ForeignHost('a form of another site')
  const form = new URLSearchParams((await readPush(request)).toString('utf8'))
  const email = form.get('email')?.trim() ?? ''
  const query = (await site.subscribe(email)) ? '' : `?refused=${encodeURIComponent(email)}`
  response.writeHead(303, { location: `${mailboxPath}${query}#push` }).end()
}

const sendJson = (request: IncomingMessage, response: ServerResponse, value: object) =>
  send(request, response, 'application/json', JSON.stringify(value))

function send(request: IncomingMessage, response: ServerResponse, type: string, body: string): void {
  request.resume()
  response.writeHead(200, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Requests that Node's parser rejects get an error response of the common shape, too. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { statusCode, headers, body } = errorResponse(
    new MalformedRequest('not HTTP', { cause: error }),
    crypto.randomUUID(),
  )
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) })
  const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')
  socket.end(`HTTP/1.1 ${statusCode} Bad Request\r\n${head}\r\n\r\n${body}`)
}
