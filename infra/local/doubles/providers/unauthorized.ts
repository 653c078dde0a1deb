import demoData from './demo-data.json' with { type: 'json' }
import { type ProviderResponse, type ProviderRequest, json } from './http.ts'

/**
 * Accepts any credentials except empty ones and those that contain “wrong” or “invalid”. `…+scopes=a,b` in a key restricts it to these
 * permissions.
 */
export function acceptKey({ headers }: ProviderRequest): { scopes?: readonly string[] } | undefined {
  const [scheme, credentials = ''] = (headers['authorization'] ?? '').split(/ (.*)/s)
  const value = scheme === 'Basic' ? Buffer.from(credentials, 'base64').toString('utf8') : credentials
  if (value.trim() === '' || /wrong|invalid/i.test(value)) return undefined
  const restricted = /\+scopes=([^"+]*)/.exec(value)?.[1]
  return restricted === undefined ? {} : { scopes: restricted.split(',') }
}

const challenge = { 'www-authenticate': 'Bearer error="invalid_token"' }
const bodies: Readonly<Record<string, unknown>> = demoData.unauthorized

/** Each provider's response to an invalid token or key. */
export function unauthorized(provider: string): ProviderResponse {
  if (provider === 'slack') return json(200, { ok: false, error: 'token_expired' })
  if (provider === 'trello')
    return { status: 401, headers: { 'content-type': 'text/plain' }, body: 'invalid token' }
  const known = bodies[provider.startsWith('google-') ? 'gmail' : provider]
  return json(401, known ?? { message: 'invalid credentials', status: 401 }, challenge)
}
