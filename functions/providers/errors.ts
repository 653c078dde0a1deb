import { parseRetryAfter } from '#shared/retry-after.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { sayTool } from '#shared/sentences/tools.ts'
import { ProviderError } from './provider-error.ts'
import { plainLine } from '../platform/untrusted-text.ts'

/** A failure that a provider reports in its own format. */
export interface ApiFailure {
  /** the equivalent HTTP status */
  status: number
  message: string
  /** missing permissions */
  scopes?: readonly string[]
  /** a sentence that says what to do, instead of the one for the status */
  advice?: Sentence
}

/** Error details, which each provider puts elsewhere in the body. */
interface ErrorDetails {
  message: string
  reason: string
  scopes: readonly string[]
}

function parseErrorDetails(body: unknown): ErrorDetails {
  const root = toRecord(Array.isArray(body) ? body[0] : body)
  const { error, errors } = root
  const inner = typeof error === 'object' && error !== null ? toRecord(error) : root
  const first = toRecord(toList(inner['errors'])[0] ?? toList(errors)[0])
  const details = toList(inner['details']).map((each) => toRecord(each)['reason'])
  const messages = [
    inner['message'],
    root['message'],
    root['error_description'],
    root['error_summary'],
    root['detail'],
    root['description'],
    root['err'],
    first['message'],
    ...toList(root['errorMessages']),
    ...Object.values(toRecord(errors)),
    error,
  ]
  return {
    message: toPlainText(messages.find((each) => typeof each === 'string' && each !== '')),
    reason: [root['category'], root['errorCode'], first['reason'], ...details, inner['status']]
      .filter((each) => typeof each === 'string')
      .join(' '),
    // HubSpot names them at the top or in the first error
    scopes: [
      ...toList(toRecord(root['context'])['missingScopes']),
      ...toList(toRecord(first['context'])['requiredGranularScopes']),
    ].map(toPlainText),
  }
}

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
/** Untrusted text as one short line. */
const toPlainText = (value: unknown) => (typeof value === 'string' ? plainLine(value, 200) : '')

const scopeReason = /scope|insufficient (?:privileges|permission)|insufficientPermissions/i
const rateReason = /rateLimit|RATE_LIMIT|REQUEST_LIMIT|dailyLimit|quota/i

/** RFC 6750 */
const parseScopes = (challenge: string) =>
  toPlainText(/\bscope="([^"]*)"/.exec(challenge)?.[1])
    .split(' ')
    .filter((scope) => scope !== '')

/**
 * Converts an error response to an error whose sentence tells the model, and the user, what to do.
 * `failure` is what the body reports in the provider's own format.
 */
export function toProviderError(
  name: string,
  {
    status,
    headers,
    body,
    failure,
  }: { status: number; headers: Headers; body: unknown; failure?: ApiFailure | undefined },
): ProviderError {
  const details = parseErrorDetails(body)
  const message = failure ? toPlainText(failure.message) : details.message
  const { reason } = details
  const requiredScopes = failure?.scopes?.map(toPlainText) ?? details.scopes
  const scopes =
    requiredScopes.length > 0 ? requiredScopes : parseScopes(headers.get('www-authenticate') ?? '')
  const about = { name, said: message }
  const isBusy =
    status === 429 ||
    (status === 403 && (rateReason.test(reason) || headers.get('x-ratelimit-remaining') === '0'))
  const describe = (): Sentence => {
    if (failure?.advice !== undefined) return failure.advice
    if (isBusy) return describeBusy(name, headers)
    if (status === 403 && scopes.length > 0)
      return sayTool('provider_permission.scopes', { ...about, scopes: scopes.join(', ') })
    if (status === 403 && scopeReason.test(`${reason} ${message}`))
      return sayTool('provider_permission', about)
    if (status === 403) return sayTool('provider_forbids', about)
    if (status === 404) return sayTool('provider_not_found', about)
    // the status of a reported failure is ours
    if (status >= 500)
      return failure
        ? sayTool('provider_fault.reported', { name })
        : sayTool('provider_fault', { name, status })
    return failure
      ? sayTool('provider_refused_request.reported', about)
      : sayTool('provider_refused_request', { ...about, status })
  }
  return new ProviderError(describe(), status)
}

function describeBusy(name: string, headers: Headers): Sentence {
  const seconds = parseRetryAfter(headers.get('retry-after'))
  return seconds ? sayTool('provider_busy.wait', { name, seconds }) : sayTool('provider_busy', { name })
}
