/** MCP Apps (SEP-1865, `io.modelcontextprotocol/ui`): what the page, the functions and the sandbox agree on. */
export const appsExtensionId = 'io.modelcontextprotocol/ui'
export const appMimeType = 'text/html;profile=mcp-app'
/** The revision of the messages between an app and the page. */
export const appProtocolVersion = '2026-01-26'

/** What an app may load and reach, as its server declares it: origins such as `https://cdn.example.com` or `https://*.example.com`. */
export interface AppDomains {
  /** fetch, XHR, WebSocket */
  readonly connect: readonly string[]
  /** scripts, styles, images, fonts, sounds */
  readonly resource: readonly string[]
}

/** Longer documents are not shown. In bytes. */
export const maxAppBytes = 2 * 1024 * 1024
/** A longer message of an app to the page is dropped. In characters of its JSON. */
export const maxAppMessageCharacters = 200_000
/** The height that an app may have, in pixels. */
export const appHeightPx = { min: 40, max: 700 } as const

/**
 * The content security policy of one app: no connection and nothing from elsewhere but what its server declared. Frames, forms
 * that are sent and another base of links are never allowed.
 * @param domains validated by the function (functions/mcp/app-resource.ts)
 */
export function appPolicy({ connect, resource }: AppDomains): string {
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'unsafe-inline'", "'unsafe-eval'", 'blob:', ...resource],
    'worker-src': ["'none'"],
    'style-src': ["'unsafe-inline'", ...resource],
    'img-src': ['data:', 'blob:', ...resource],
    'font-src': ['data:', ...resource],
    'media-src': ['data:', 'blob:', ...resource],
    'connect-src': connect.length > 0 ? connect : ["'none'"],
    'frame-src': ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')
}
