import { findProvider } from '../../../../functions/providers/built-in.ts'
import { type Answer, type Asked, json } from './answer.ts'

/** What each provider's test call answers to values that it takes. */
const accepted: Record<string, unknown> = {
  notion: { object: 'user', id: 'u-1', type: 'bot', name: 'Local stand-in' },
  trello: { id: 'm-1', username: 'local' },
  airtable: { id: 'usr1', scopes: ['data.records:read'] },
  stripe: { object: 'balance', available: [{ amount: 0, currency: 'eur' }], livemode: false },
  twilio: { messages: [], page: 0, page_size: 1 },
}

/** The test call of the providers that take typed values: anything is right but nothing, and whatever says that it is wrong. */
export function apiKeyCall(provider: string, { method, path, headers }: Asked): Answer | undefined {
  const call = findProvider(provider)?.apiKey?.testCall
  const expected = call?.path.replace(/\?.*$/, '').replace(/\{\w+\}/g, '[^/]+')
  if (!expected || method !== 'GET' || !new RegExp(`^/api${expected}$`).test(path)) return undefined
  const authorization = headers['authorization'] ?? ''
  const [scheme, given = ''] = authorization.split(/ (.*)/s)
  const value = scheme === 'Basic' ? Buffer.from(given, 'base64').toString('utf8') : given
  if (value.trim() === '' || /wrong|invalid/i.test(value))
    return json(401, { message: 'invalid credentials', status: 401 })
  return json(200, accepted[provider] ?? {})
}
