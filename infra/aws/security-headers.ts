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
