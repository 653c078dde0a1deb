/** @returns the URL if it may become a link: only http and https, whatever was stored */
export function parseWebPage(url: string): URL | undefined {
  const page = URL.canParse(url) ? new URL(url) : undefined
  return page && /^https?:$/.test(page.protocol) ? page : undefined
}
