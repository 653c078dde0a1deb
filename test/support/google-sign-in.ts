import { createHash, randomBytes } from 'node:crypto'
import type { LocalStack } from './local-stack.ts'

/** Follows the redirects from the site to Google and back, without a browser. @returns the site's address with a code or an error */
export async function returnFromGoogle(
  stack: Pick<LocalStack, 'origin' | 'endpoints'>,
  { email, verified = true }: { email: string; verified?: boolean },
): Promise<URL> {
  const { cognito } = await stack.endpoints()
  const { userPoolClientId } = (await (await fetch(`${stack.origin}/config.json`)).json()) as {
    userPoolClientId: string
  }
  const go = async (address: URL, form?: Record<string, string>) => {
    const body = form && new URLSearchParams(form)
    const answer = await fetch(address, { redirect: 'manual', ...(body && { method: 'POST', body }) })
    return new URL(answer.headers.get('location') ?? '', cognito)
  }
  const query = new URLSearchParams({
    client_id: userPoolClientId,
    response_type: 'code',
    redirect_uri: `${stack.origin}/auth`,
    state: 'any',
    code_challenge: createHash('sha256').update(randomBytes(48).toString('base64url')).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const consent = await go(new URL(`/oauth2/authorize?${query}`, cognito))
  const form = { decision: 'allow', email, name: 'Gil', ...(!verified && { unverified: 'on' }) }
  return go(await go(consent, form))
}
