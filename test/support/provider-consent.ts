/**
 * What a person does in the window of the provider's stand-in: reads the page, clicks, and is sent back.
 * @returns the address that the product's callback page is opened at
 */
export async function decide(authUrl: string, decision: 'allow' | 'cancel'): Promise<URL> {
  const page = await fetch(authUrl)
  const html = await page.text()
  if (page.status !== 200 || !html.includes('>Allow<'))
    throw new Error(`No consent page: ${page.status} ${html}`)
  const click = new URL(authUrl)
  click.pathname += '/decide'
  click.searchParams.set('decision', decision)
  const back = await fetch(click, { redirect: 'manual' })
  const location = back.headers.get('location')
  if (back.status !== 302 || !location) throw new Error(`Not sent back: ${back.status}`)
  return new URL(location)
}

/** What the product's callback page sends then (`oauth-handler`). */
export function buildExchange({ origin, pathname, searchParams: back }: URL) {
  return {
    action: 'exchange' as const,
    code: back.get('code') ?? '',
    state: back.get('state') ?? '',
    redirect_uri: `${origin}${pathname}`,
    iss: back.get('iss') ?? undefined,
  }
}
