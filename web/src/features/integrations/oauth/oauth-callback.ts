import { ApiError, hasErrorName, NetworkError, NotSignedInError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import { connectedSince, forgetAttempt, latestAttempt } from './oauth-attempt.ts'

/** OAUTH-17: times the number of the attempt. */
const retryWaitMs = 2_000
/** OAUTH-10, OAUTH-11 */
export const closeAfterSuccessMs = 2_000
export const closeAfterErrorMs = 3_000

const exchangeTimeoutMs = 30_000

export type CallbackResult =
  { status: 'success'; provider: string | undefined } | { status: 'error'; sentence: string }

/** OAUTH-07 */
export interface CallbackQuery {
  code: string | null
  state: string | null
  error: string | null
  iss: string | null
  /** the address that the code came to: each server has its own, and a code that came to another's is good for nothing */
  redirectUri: string
}

/**
 * What a provider sent along. Where a parameter comes twice the code counts as none (RFC 6749 section 3.1): whoever wrote the first need
 * not be who sent the second.
 */
export function callbackQuery({ origin, pathname, searchParams }: URL): CallbackQuery {
  const isTwice = ['code', 'state', 'iss'].some((name) => searchParams.getAll(name).length > 1)
  return {
    code: isTwice ? null : searchParams.get('code'),
    state: searchParams.get('state'),
    error: searchParams.get('error'),
    iss: searchParams.get('iss'),
    redirectUri: `${origin}${pathname}`,
  }
}

/** RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6, RFC 8707 section 2, and words of GitHub and LinkedIn. */
const errorSentences: Readonly<Record<string, string>> = {
  access_denied: 'The permission was not given.',
  user_cancelled_login: 'The permission was not given.',
  user_cancelled_authorize: 'The permission was not given.',
  invalid_request: 'The provider did not understand the request.',
  unauthorized_client:
    'This app may not ask for a permission this way. Please check its settings at the provider.',
  application_suspended: 'The provider has suspended this app.',
  unsupported_response_type: 'The provider does not offer this kind of sign-in.',
  invalid_scope: 'The app does not have the permissions that are asked for.',
  invalid_target: 'The provider does not know the server that is to be connected.',
  redirect_uri_mismatch: 'The redirect URI of the app is not the one shown here.',
  server_error: 'The provider has a fault. Please try again in a moment.',
  temporarily_unavailable: 'The provider is busy. Please try again in a moment.',
  interaction_required: 'The provider wants you to sign in there first.',
  login_required: 'The provider wants you to sign in there first.',
  consent_required: 'The provider wants you to sign in there first.',
  account_selection_required: 'The provider wants you to choose an account there first.',
}

/** Anybody can write an address: of its text no word is shown but those that providers are known to use. */
function errorSentence(error: string): string {
  const sentence = Object.hasOwn(errorSentences, error) ? errorSentences[error] : undefined
  return sentence === undefined
    ? 'OAuth provider error: the provider gave no reason that is known here.'
    : `OAuth provider error: ${error}. ${sentence}`
}

/**
 * Redeems the code that the provider sent along, with one retry (OAUTH-12 to OAUTH-18).
 * @param wait between the attempts
 */
export async function redeem(
  { code, state, error, iss, redirectUri }: CallbackQuery,
  wait: (ms: number) => Promise<void>,
): Promise<CallbackResult> {
  if (error !== null) return failed(errorSentence(error))
  if (!code || !state) return failed('Missing authorization code or state parameter')
  const answer = { code, state, redirect_uri: redirectUri, ...(iss !== null && { iss }) }
  try {
    return await exchange(answer)
  } catch (first) {
    if (!isWorthRetry(first)) return failed(sentenceOf(first))
    await wait(retryWaitMs)
    // DEC-089: a state that is used up may have been used by this very attempt, whose answer got lost
    if (isStateGone(first)) return (await connectedMeanwhile()) ?? failed(sentenceOf(first))
    try {
      return await exchange(answer)
    } catch (second) {
      return (isStateGone(second) && (await connectedMeanwhile())) || failed(sentenceOf(second))
    }
  }
}

const failed = (sentence: string): CallbackResult => ({ status: 'error', sentence })

async function exchange(sent: {
  code: string
  state: string
  redirect_uri: string
  iss?: string
}): Promise<CallbackResult> {
  const answer = await callApi(
    'oauth.handle',
    { body: { action: 'exchange', ...sent } },
    { timeoutMs: exchangeTimeoutMs },
  )
  // OAUTH-26: what an API answers is only a promise
  if ((answer as { success?: unknown }).success !== true)
    return failed('Unexpected response from authentication service')
  if (answer.mcpId !== undefined) forgetAttempt(answer.mcpId)
  return { status: 'success', provider: answer.provider }
}

/** Whether the integration of the flow that was begun last has been connected since. */
async function connectedMeanwhile(): Promise<CallbackResult | undefined> {
  const attempt = latestAttempt()
  if (!attempt) return undefined
  const answer = await callApi('integrations.list', {}).catch(() => undefined)
  const row = answer?.integrations.find(({ mcp_id }) => mcp_id === attempt.mcpId)
  if (!connectedSince(row, attempt.timestamp)) return undefined
  forgetAttempt(attempt.mcpId)
  return { status: 'success', provider: row.provider }
}

/** OAUTH-18, DEC-091 */
function isWorthRetry(error: unknown): boolean {
  if (error instanceof NetworkError) return true
  const text = error instanceof ApiError ? error.userMessage : error instanceof Error ? error.message : ''
  return (
    /functionalHttpError|OAuth state not found|Database error/.test(text) ||
    hasErrorName(error, 'FunctionsHttpError')
  )
}

const isStateGone = (error: unknown) =>
  error instanceof ApiError && error.userMessage.includes('OAuth state not found')

function sentenceOf(error: unknown): string {
  if (error instanceof NotSignedInError) return 'Please sign in again, then connect once more.'
  if (!(error instanceof ApiError)) return 'OAuth callback failed'
  return error.code === 'unreadable' ? 'Unexpected response from authentication service' : error.userMessage
}
