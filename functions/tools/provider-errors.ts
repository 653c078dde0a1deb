import { ProviderError } from './api.ts'

/** What providers say of an error, in the places where the common ones say it. */
interface Said {
  message: string
  reason: string
  scopes: readonly string[]
}

function saidIn(text: string): Said {
  const none: Said = { message: '', reason: '', scopes: [] }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return none
  }
  const { error = body, message, category, errors } = record(body)
  const inner = record(error)
  const first = record(list(inner['errors'])[0] ?? list(errors)[0])
  const details = list(inner['details']).map((each) => record(each)['reason'])
  return {
    message: plain(inner['message'] ?? message ?? (typeof error === 'string' ? error : '')),
    reason: [category, first['reason'], ...details, inner['status']]
      .filter((each) => typeof each === 'string')
      .join(' '),
    scopes: list(record(first['context'])['requiredGranularScopes']).map(plain),
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
/** A stranger's words in our sentence: one short line. */
const plain = (value: unknown) =>
  typeof value === 'string'
    ? value
        .replace(/[^\P{C}]+|\s+/gu, ' ')
        .trim()
        .slice(0, 200)
    : ''

const scopeReason = /scope|insufficientPermissions|ACCESS_TOKEN_SCOPE_INSUFFICIENT/i
const rateReason = /rateLimit|RATE_LIMIT|dailyLimit|quota/i

/** A refusal as a sentence that tells the model, and through it the person, what to do about it. */
export function providerErrorOf(name: string, status: number, headers: Headers, text: string): ProviderError {
  const { message, reason, scopes } = saidIn(text)
  const because = message === '' ? '' : ` It said: "${message}"`
  const sentence = () => {
    if (status === 403 && rateReason.test(reason)) return busy(name, headers)
    if (status === 403 && scopeReason.test(`${reason} ${message}`)) {
      const missing = scopes.length > 0 ? ` (${scopes.join(', ')})` : ''
      return `${name} needs a permission that was not granted${missing}. The user can grant it on the integrations page: disconnect ${name}, connect it again, and allow everything that is asked for.${because}`
    }
    if (status === 403) return `${name} does not allow this.${because}`
    if (status === 404) return `${name} has no such thing, or it is not visible to this account.${because}`
    if (status === 429) return busy(name, headers)
    if (status >= 500) return `${name} has a fault of its own (${status}). Please try again later.`
    return `${name} refused the request (${status}).${because}`
  }
  return new ProviderError(sentence(), status)
}

function busy(name: string, headers: Headers): string {
  const after = headers.get('retry-after')
  const when = after !== null && /^\d{1,5}$/.test(after) ? ` in ${after} seconds` : ' in a moment'
  return `${name} takes no more requests right now. Please try again${when}.`
}
