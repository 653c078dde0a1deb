/**
 * A user's decision on the consent page of the provider's double.
 * @returns the address to which the user is redirected
 */
export async function decideConsent(authUrl: string, decision: 'allow' | 'cancel'): Promise<URL> {
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

/** The request of the product's callback page (`oauth-handler`). */
export function buildExchange({ origin, pathname, searchParams: back }: URL) {
  return {
    action: 'exchange' as const,
    code: back.get('code') ?? '',
    state: back.get('state') ?? '',
    redirect_uri: `${origin}${pathname}`,
    iss: back.get('iss') ?? undefined,
  }
}
