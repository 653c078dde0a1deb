/** The URL standard, which browsers and Node have. */
declare const URL: {
  canParse(url: string): boolean
  new (url: string): { readonly protocol: string; hash: string; readonly href: string }
}

const hostAndPort = /^[\w.-]{1,253}:\d{1,5}(?:[/?#]|$)/

/** An address as the URL standard writes it, without its fragment; https without a scheme. @returns undefined if it is none of the web */
export function toPageAddress(text: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]{0,20}:/i.test(text) && !hostAndPort.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  url.hash = ''
  return url.href
}
