import { readFile, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, sep } from 'node:path'

/** Serves every path that is neither an API call nor a local page: the web app's files, or the app itself. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>

const contentTypes = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.ico', 'image/x-icon'],
  ['.jpg', 'image/jpeg'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.map', 'application/json; charset=utf-8'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.wasm', 'application/wasm'],
  ['.webmanifest', 'application/manifest+json'],
  ['.webp', 'image/webp'],
  ['.woff2', 'font/woff2'],
])

/**
 * Serves a build as the distribution does: hashed assets cached for good, everything else revalidated each time, and the app for
 * any path that is not a file. A missing asset gets 404, so that a script request never gets a page.
 */
export function pageHandler(folder: string): PageHandler {
  /** content of assets by their address: their names have a hash of it, so it never changes */
  const assets = new Map<string, Buffer>()
  return async (request, response, url) => {
    request.resume()
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      sendText(response, 405, 'This address can only be read.')
      return
    }
    // no name of the build has an escape or a folder of its own: `assets/..%2findex.html` is no asset
    const isAsset = /^\/(diagram\/)?assets\/[^/%]+$/.test(url.pathname)
    const cachedContent = assets.get(url.pathname)
    if (cachedContent)
      return sendContent(request, response, { path: url.pathname, content: cachedContent, isAsset })
    const path = await findFile(folder, url.pathname)
    const content = path && (await readFile(path))
    if (content) {
      if (isAsset) assets.set(url.pathname, content)
      sendContent(request, response, { path, content, isAsset })
    } else if (isAsset) sendText(response, 404, 'There is no such file.')
    else await sendApp(request, response, folder)
  }
}

async function findFile(folder: string, pathname: string): Promise<string | undefined> {
  const path = join(folder, decodePath(pathname))
  const isHidden = path
    .slice(folder.length)
    .split(sep)
    .some((segment) => segment.startsWith('.'))
  if (!path.startsWith(folder + sep) || isHidden || path.includes('\0')) return undefined
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFile() ? path : undefined
}

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    // a malformed escape matches no file
    return '/'
  }
}

function sendContent(
  request: IncomingMessage,
  response: ServerResponse,
  { path, content, isAsset }: { path: string; content: Buffer; isAsset: boolean },
): void {
  response.writeHead(200, {
    'content-type': contentTypes.get(extname(path)) ?? 'application/octet-stream',
    'content-length': content.length,
    'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  response.end(request.method === 'HEAD' ? undefined : content)
}

async function sendApp(request: IncomingMessage, response: ServerResponse, folder: string) {
  const html = await readFile(join(folder, 'index.html')).catch(() => undefined)
  if (!html) {
    sendText(response, 503, 'The page is not built yet. Run: npm run build')
    return
  }
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': html.length,
    'cache-control': 'no-cache',
  })
  response.end(request.method === 'HEAD' ? undefined : html)
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end(response.req.method === 'HEAD' ? undefined : text)
}
