export interface PageOrigins {
  /** what the page calls besides its own origin: the user pool and, where there is one, the hosted sign-in */
  connectOrigins: readonly string[]
  /** where images and sounds come from besides its own origin: the bucket of uploads */
  imageOrigins: readonly string[]
  /** the second origin, which shows apps of MCP servers; absent: none is shown */
  appsOrigin?: string | undefined
  /** the page records what the user says */
  dictation?: boolean
  /** sends Strict-Transport-Security; browsers ignore it on plain http */
  https?: boolean
}

/**
 * Headers of every page and file that the product serves, names in lower case: the local server and the distribution both take
 * them from here. The policy allows no inline scripts, and no other hosts than those named; inline styles are what Radix and
 * sonner position with. Sign-in codes travel in the address of `/auth`, so no address is ever sent as a referrer.
 */
export function securityHeaders({
  connectOrigins,
  imageOrigins,
  appsOrigin,
  dictation = false,
  https,
}: PageOrigins): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy({ connectOrigins, imageOrigins, appsOrigin }),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // a model can be made to write a link whose host is somebody's data: nothing looks it up before a click
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': `camera=(), geolocation=(), microphone=${dictation ? '(self)' : '()'}, payment=(), usb=()`,
    // not for subdomains: at the top of a zone that would close every other plain http host of the zone for two years
    ...(https && { 'strict-transport-security': 'max-age=63072000' }),
  }
}

function contentSecurityPolicy({
  connectOrigins,
  imageOrigins,
  appsOrigin,
}: Pick<PageOrigins, 'connectOrigins' | 'imageOrigins' | 'appsOrigin'>) {
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...imageOrigins],
    // sounds that tools returned, from where images come
    'media-src': ["'self'", 'data:', ...imageOrigins],
    'font-src': ["'self'"],
    // diagrams come from this origin, apps of MCP servers from the second one
    ...(appsOrigin !== undefined && { 'frame-src': ["'self'", appsOrigin] }),
    'connect-src': ["'self'", ...connectOrigins],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')
}

/** The headers of the page of shared conversations, which no search engine may list. @param headers of every page */
export const sharedPageHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => ({
  ...headers,
  'x-robots-tag': 'noindex, nofollow, noarchive',
})

/**
 * The frame may run the scripts of its own folder and draw, nothing else: it sends no requests, and only this site's pages may embed it. The header
 * includes `sandbox`, so that the document has no origin even if its URL is opened directly.
 */
const diagramFramePolicy = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self'",
  // charts are drawn by a worker, which a document without an origin starts from a blob
  'worker-src blob:',
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/**
 * @param headers of every page.
 * @returns those of the frame and its scripts; CORS allows all, because a document without an origin loads its scripts cross-origin
 */
export const diagramFrameHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => ({
  ...headers,
  'content-security-policy': diagramFramePolicy,
  'x-frame-options': 'SAMEORIGIN',
  'access-control-allow-origin': '*',
})
