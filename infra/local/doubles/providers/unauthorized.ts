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
const google = {
  error: {
    code: 401,
    message: 'Request had invalid authentication credentials.',
    status: 'UNAUTHENTICATED',
    errors: [{ domain: 'global', reason: 'authError', message: 'Invalid Credentials' }],
  },
}

/** Each provider's response to an invalid token or key. */
const bodies: Readonly<Record<string, unknown>> = {
  gmail: google,
  'google-drive': google,
  'google-calendar': google,
  hubspot: {
    status: 'error',
    message: 'The OAuth token used to make this call expired.',
    category: 'EXPIRED_AUTHENTICATION',
  },
  salesforce: [{ message: 'Session expired or invalid', errorCode: 'INVALID_SESSION_ID' }],
  dropbox: { error_summary: 'expired_access_token/', error: { '.tag': 'expired_access_token' } },
  zoom: { code: 124, message: 'Invalid access token.' },
  linear: { errors: [{ message: 'Authentication required', extensions: { code: 'AUTHENTICATION_ERROR' } }] },
  'microsoft-graph': {
    error: {
      code: 'InvalidAuthenticationToken',
      message: 'Lifetime validation failed, the token is expired.',
    },
  },
}

export function unauthorized(provider: string): ProviderResponse {
  if (provider === 'slack') return json(200, { ok: false, error: 'token_expired' })
  if (provider === 'trello')
    return { status: 401, headers: { 'content-type': 'text/plain' }, body: 'invalid token' }
  return json(401, bodies[provider] ?? { message: 'invalid credentials', status: 401 }, challenge)
}
