import { t } from '@lingui/core/macro'
import { getOwn } from '#shared/get-own.ts'
import { truncate } from '#shared/truncate.ts'
import { ApiError, NetworkError, NotSignedInError } from '../../../lib/api/api-errors.ts'
import { hasErrorCode } from '../../../lib/api/has-error-code.ts'
import { createErrorDetails, toErrorDetails, type ErrorDetails } from '../../../lib/api/error-details.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { providerTimeoutMs } from '../state/integrations-query.ts'
import { isConnectedSince, loadLatestAttempt, removeAttempt } from './oauth-attempt.ts'
import { readStoredJson, writeStored } from '../../../lib/browser/storage.ts'

/** A service that is starting, or a lost connection, needs a moment. */
const retryWaitMs = 2_000
/** How long the callback page shows a success before it closes. */
export const closeAfterSuccessMs = 2_000
/** How long the callback page shows an error before it closes. */
export const closeAfterErrorMs = 3_000

/** The limit of the API. */
const maxDescriptionCharacters = 2_000

/** The outcome of a callback. */
export type CallbackResult =
  /** the sign-in has to start again at this address, without what the provider refused */
  | { status: 'again'; authUrl: string }
  | { status: 'success'; provider: string | undefined }
  | {
      status: 'error'
      message: string
      /** what failed */
      cause: ErrorDetails
      /**
       * What the user can do: sign in to this product, or look whether the integration is connected all the same.
       * Absent: connect once more, because nothing was changed.
       */
      next?: 'sign-in' | 'look'
    }

/** The parameters with which a provider calls back. */
export interface CallbackQuery {
  code: string | null
  state: string | null
  error: string | null
  errorDescription: string | null
  iss: string | null
  /** the redirect URI that received the code: each server has its own, and a code is only valid for its own */
  redirectUri: string
}

/**
 * Parses the callback's query. If a parameter is repeated, the code is ignored (RFC 6749 section 3.1): the first value may come from
 * another sender than the second.
 */
export function parseCallbackQuery({ origin, pathname, searchParams }: URL): CallbackQuery {
  const isRepeated = ['code', 'state', 'iss'].some((name) => searchParams.getAll(name).length > 1)
  return {
    code: isRepeated ? null : searchParams.get('code'),
    state: searchParams.get('state'),
    error: searchParams.get('error'),
    errorDescription: searchParams.get('error_description'),
    iss: searchParams.get('iss'),
    redirectUri: `${origin}${pathname}`,
  }
}

/**
 * Error codes of RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6, RFC 8707 section 2, GitHub
 * and LinkedIn.
 */
const providerErrorMessages: Readonly<Record<string, string>> = {
  // RFC 6749 section 4.1.2.1: the user or the server, as by a policy, has denied it
  access_denied: t`The permission was not granted, by you or by the provider.`,
  user_cancelled_login: t`You did not grant the permission.`,
  user_cancelled_authorize: t`You did not grant the permission.`,
  invalid_request: t`The provider did not understand the request.`,
  invalid_client: t`The provider does not accept the Client ID of the app.`,
  unauthorized_client: t`This app may not ask for a permission this way. Please check its settings at the provider.`,
  application_suspended: t`The provider has suspended this app.`,
  unsupported_response_type: t`The provider does not offer this kind of sign-in.`,
  invalid_scope: t`The app is not allowed to ask for these permissions.`,
  invalid_target: t`The provider does not know this server.`,
  redirect_uri_mismatch: t`The redirect URI of the app is not the one shown here.`,
  server_error: t`The provider had an error. Please try again in a moment.`,
  temporarily_unavailable: t`The provider is busy. Please try again in a moment.`,
  interaction_required: t`Please sign in at the provider first.`,
  login_required: t`Please sign in at the provider first.`,
  consent_required: t`Please grant the permission at the provider first.`,
  account_selection_required: t`Please choose an account at the provider first.`,
}

/** Anybody can craft this URL, so only known error codes are shown. */
function describeProviderError(error: string): string {
  const message = getOwn(providerErrorMessages, error)
  return message === undefined
    ? t`OAuth provider error: the provider gave no known reason.`
    : t`OAuth provider error: ${{ code: error }}. ${{ reason: message }}`
}

/**
 * Redeems the authorization code, with one retry. An error of the provider in its place is described, or asks for another sign-in.
 * @param wait delays the retry
 */
export async function redeemCode(
  { code, state, error, errorDescription, iss, redirectUri }: CallbackQuery,
  wait: (ms: number) => Promise<void>,
): Promise<CallbackResult> {
  if (error !== null)
    return (
      (await requestAnotherSignIn({ state, error, errorDescription, redirectUri })) ??
      toErrorResult(
        describeProviderError(error),
        getOwn(providerErrorMessages, error) ? error : 'unknown_error',
      )
    )
  if (!code || !state)
    return toErrorResult(t`Missing authorization code or state parameter`, 'incomplete_address')
  const callback = { code, state, redirect_uri: redirectUri, ...(iss !== null && { iss }) }
  try {
    return await exchangeCode(callback)
  } catch (firstError) {
    if (!isRetryableExchange(firstError)) return toFailure(firstError)
    await wait(retryWaitMs)
    // this attempt may have used the state itself, and only its response was lost
    if (isStateUsed(firstError)) return (await findConnection(state)) ?? toFailure(firstError)
    try {
      return await exchangeCode(callback)
    } catch (secondError) {
      if (!isStateUsed(secondError)) return toFailure(secondError)
      // the first try has used up the state: its error says what went wrong
      const cause = firstError instanceof ApiError ? firstError : secondError
      return (await findConnection(state)) ?? { ...toFailure(cause), next: 'look' }
    }
  }
}

/**
 * Describes a failure. Without a response, after a fault of the service, or for an address that was used before, nobody knows whether the
 * integration is connected.
 */
function toFailure(error: unknown): CallbackResult & { status: 'error' } {
  const failure = { status: 'error', message: describeError(error), cause: toErrorDetails(error) } as const
  if (error instanceof NotSignedInError) return { ...failure, next: 'sign-in' }
  const isUnknown =
    !(error instanceof ApiError) || isStateUsed(error) || isFault(error) || error.code === 'unreadable'
  return { ...failure, ...(isUnknown && { next: 'look' }) }
}

/** Error codes after which another request may succeed: one without an optional parameter, or with a client that is registered anew. */
const retryableCodes = new Set(['invalid_request', 'invalid_scope', 'invalid_target', 'invalid_client'])

/** Asks the service for an address without what the provider refused. @returns undefined if there is none */
async function requestAnotherSignIn({
  state,
  error,
  errorDescription,
  redirectUri,
}: Pick<CallbackQuery, 'state' | 'errorDescription' | 'redirectUri'> & { error: string }): Promise<
  CallbackResult | undefined
> {
  if (!state || !retryableCodes.has(error)) return undefined
  const response = await callApi(
    'oauth.handle',
    {
      body: {
        action: 'refused',
        state,
        redirect_uri: redirectUri,
        error,
        ...(errorDescription && { error_description: truncate(errorDescription, maxDescriptionCharacters) }),
      },
    },
    { timeoutMs: providerTimeoutMs },
  ).catch(() => undefined)
  const { authUrl = '' } = response ?? {}
  const protocol = URL.canParse(authUrl) ? new URL(authUrl).protocol : ''
  const isSafe = protocol === 'https:' || protocol === location.protocol
  return isSafe ? { status: 'again', authUrl } : undefined
}

const toErrorResult = (message: string, code: string): CallbackResult => ({
  status: 'error',
  message,
  cause: createErrorDetails(code),
})

async function exchangeCode(callback: {
  code: string
  state: string
  redirect_uri: string
  iss?: string
}): Promise<CallbackResult> {
  const response = await callApi(
    'oauth.handle',
    { body: { action: 'exchange', ...callback } },
    { timeoutMs: providerTimeoutMs },
  )
  // an older or newer service may respond with something else than the type says
  if ((response as { success?: unknown }).success !== true)
    return toErrorResult(t`Unexpected response from authentication service`, 'unreadable')
  if (response.mcpId !== undefined) {
    removeAttempt(response.mcpId)
    saveRedeemedState(callback.state, response.mcpId)
  }
  return { status: 'success', provider: response.provider }
}

/**
 * Finds out whether a callback address that was used has connected its integration. If this browser opened the address before, that is the
 * integration of its `state`; otherwise that of the latest flow, which must have been connected after the flow started.
 * @returns a success; undefined if nothing is connected
 */
async function findConnection(state: string): Promise<CallbackResult | undefined> {
  const redeemedId = findRedeemedIntegration(state)
  const attempt = redeemedId === undefined ? loadLatestAttempt() : undefined
  const mcpId = redeemedId ?? attempt?.mcpId
  if (mcpId === undefined) return undefined
  const response = await callApi('integrations.list', {}).catch(() => undefined)
  const connection = response?.integrations.find(({ mcp_id }) => mcp_id === mcpId)
  if (!isConnectedSince(connection, attempt?.connectedAt)) return undefined
  if (attempt) {
    removeAttempt(mcpId)
    saveRedeemedState(state, mcpId)
  }
  return { status: 'success', provider: connection.provider }
}

/** Whether it makes sense to try again: there was no response, the service had a fault, or the state is used, perhaps by this attempt. */
const isRetryableExchange = (error: unknown) =>
  error instanceof NetworkError || isStateUsed(error) || isFault(error)

const isFault = (error: unknown) => hasErrorCode(error, 'internal_error')

const isStateUsed = (error: unknown) => hasErrorCode(error, 'oauth_state_not_found')

function describeError(error: unknown): string {
  if (error instanceof NotSignedInError) return t`Please sign in again, then connect once more.`
  if (!(error instanceof ApiError)) return t`OAuth callback failed`
  return error.code === 'unreadable' ? t`Unexpected response from authentication service` : error.userMessage
}

const key = 'oauth_redeemed'
/** Older ones are dropped: nobody opens their callback addresses again. */
const maxStates = 10

/** An OAuth `state` whose code was exchanged, and the integration that it connected. */
type RedeemedState = [state: string, mcpId: string]

function loadStates(): RedeemedState[] {
  const stored = readStoredJson('local', key)
  return Array.isArray(stored)
    ? stored.filter(
        (one): one is RedeemedState =>
          Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string'),
      )
    : []
}

/** Stores which integration a `state` has connected, so that its callback address can be opened again. A state is used once. */
function saveRedeemedState(state: string, mcpId: string): void {
  const newest: RedeemedState[] = [[state, mcpId], ...loadStates()]
  writeStored('local', key, JSON.stringify(newest.slice(0, maxStates)))
}

/** Finds the integration that this browser has connected with a `state`. @returns undefined for an unknown one, and for one that was dropped since */
const findRedeemedIntegration = (state: string): string | undefined =>
  loadStates().find(([redeemed]) => redeemed === state)?.[1]
