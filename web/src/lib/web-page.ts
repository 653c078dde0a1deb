/** @returns an address that may become a link: only pages of the web, whatever was stored */
export function parseWebPage(url: string): URL | undefined {
  const page = URL.canParse(url) ? new URL(url) : undefined
  return page && /^https?:$/.test(page.protocol) ? page : undefined
}
