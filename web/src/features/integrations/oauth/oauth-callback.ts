import { ApiError, hasErrorName, NetworkError, NotSignedInError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import { isConnectedSince, removeAttempt, loadLatestAttempt } from './oauth-attempt.ts'

const retryWaitMs = 2_000
export const closeAfterSuccessMs = 2_000
export const closeAfterErrorMs = 3_000

const exchangeTimeoutMs = 30_000

export type CallbackResult =
  { status: 'success'; provider: string | undefined } | { status: 'error'; message: string }

export interface CallbackQuery {
  code: string | null
  state: string | null
  error: string | null
  iss: string | null
  /** the redirect URI that received the code: each server has its own, and a code is only valid for its own */
  redirectUri: string
}

/**
 * Parses the callback's query. If a parameter is repeated, the code is ignored (RFC 6749 section 3.1): the
 * first value may come from somebody else
 * than the second.
 */
export function parseCallbackQuery({ origin, pathname, searchParams }: URL): CallbackQuery {
  const isTwice = ['code', 'state', 'iss'].some((name) => searchParams.getAll(name).length > 1)
  return {
    code: isTwice ? null : searchParams.get('code'),
    state: searchParams.get('state'),
    error: searchParams.get('error'),
    iss: searchParams.get('iss'),
    redirectUri: `${origin}${pathname}`,
  }
}

/**
 * Error codes of RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6, RFC 8707 section 2, GitHub
 * and LinkedIn.
 */
const providerErrorMessages: Readonly<Record<string, string>> = {
  access_denied: 'You did not grant the permission.',
  user_cancelled_login: 'You did not grant the permission.',
  user_cancelled_authorize: 'You did not grant the permission.',
  invalid_request: 'The provider did not understand the request.',
  unauthorized_client:
    'This app may not ask for a permission this way. Please check its settings at the provider.',
  application_suspended: 'The provider has suspended this app.',
  unsupported_response_type: 'The provider does not offer this kind of sign-in.',
  invalid_scope: 'The app does not have the permissions that are asked for.',
  invalid_target: 'The provider does not know this server.',
  redirect_uri_mismatch: 'The redirect URI of the app is not the one shown here.',
  server_error: 'The provider had an error. Please try again in a moment.',
  temporarily_unavailable: 'The provider is busy. Please try again in a moment.',
  interaction_required: 'The provider wants you to sign in there first.',
  login_required: 'The provider wants you to sign in there first.',
  consent_required: 'The provider wants you to sign in there first.',
  account_selection_required: 'The provider wants you to choose an account there first.',
}

/** Anybody can craft this URL, so only known error codes are shown. */
function describeProviderError(error: string): string {
  const message = Object.hasOwn(providerErrorMessages, error) ? providerErrorMessages[error] : undefined
  return message === undefined
    ? 'OAuth provider error: the provider gave no reason that is known here.'
    : `OAuth provider error: ${error}. ${message}`
}

/**
 * Redeems the authorization code, with one retry.
 * @param wait delays the retry
 */
export async function redeemCode(
  { code, state, error, iss, redirectUri }: CallbackQuery,
  wait: (ms: number) => Promise<void>,
): Promise<CallbackResult> {
  if (error !== null) return toErrorResult(describeProviderError(error))
  if (!code || !state) return toErrorResult('Missing authorization code or state parameter')
  const answer = { code, state, redirect_uri: redirectUri, ...(iss !== null && { iss }) }
  try {
    return await exchangeCode(answer)
  } catch (first) {
    if (!isRetryableExchange(first)) return toErrorResult(describeError(first))
    await wait(retryWaitMs)
    // the state may have been used by this very attempt, whose response was lost
    if (isStateUsed(first)) return (await findNewConnection()) ?? toErrorResult(describeError(first))
    try {
      return await exchangeCode(answer)
    } catch (second) {
      return (isStateUsed(second) && (await findNewConnection())) || toErrorResult(describeError(second))
    }
  }
}

const toErrorResult = (message: string): CallbackResult => ({ status: 'error', message })

async function exchangeCode(sent: {
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
  // checked at run time
  if ((answer as { success?: unknown }).success !== true)
    return toErrorResult('Unexpected response from authentication service')
  if (answer.mcpId !== undefined) removeAttempt(answer.mcpId)
  return { status: 'success', provider: answer.provider }
}

/** Whether the integration of the latest flow has been connected since it started. */
async function findNewConnection(): Promise<CallbackResult | undefined> {
  const attempt = loadLatestAttempt()
  if (!attempt) return undefined
  const answer = await callApi('integrations.list', {}).catch(() => undefined)
  const row = answer?.integrations.find(({ mcp_id }) => mcp_id === attempt.mcpId)
  if (!isConnectedSince(row, attempt.timestamp)) return undefined
  removeAttempt(attempt.mcpId)
  return { status: 'success', provider: row.provider }
}

function isRetryableExchange(error: unknown): boolean {
  if (error instanceof NetworkError) return true
  const text = error instanceof ApiError ? error.userMessage : error instanceof Error ? error.message : ''
  return (
    /functionalHttpError|OAuth state not found|Database error/.test(text) ||
    hasErrorName(error, 'FunctionsHttpError')
  )
}

const isStateUsed = (error: unknown) =>
  error instanceof ApiError && error.userMessage.includes('OAuth state not found')

function describeError(error: unknown): string {
  if (error instanceof NotSignedInError) return 'Please sign in again, then connect once more.'
  if (!(error instanceof ApiError)) return 'OAuth callback failed'
  return error.code === 'unreadable' ? 'Unexpected response from authentication service' : error.userMessage
}
