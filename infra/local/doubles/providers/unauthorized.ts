import { type Double, invalidToken } from './double.ts'
import type { ProviderResponse, ProviderRequest } from './http.ts'

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

/** A provider's response to an invalid token or key. */
export const unauthorized = (double?: Double): ProviderResponse =>
  double?.unauthorized ?? invalidToken({ message: 'invalid credentials', status: 401 })
