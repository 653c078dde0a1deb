import { ApiError, isNamed, NetworkError, NoSessionError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { connectedSince, forgetAttempt, latestAttempt } from './oauth-attempt.ts'
import { redirectUri } from './oauth-flow.ts'
import type { OAuthMessage } from './oauth-popup.ts'
import { oauthChannel } from './oauth-popup.ts'

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
}

/**
 * Redeems the code that the provider sent along, with one retry (OAUTH-12 to OAUTH-18).
 * @param wait between the attempts
 */
export async function redeem(
  { code, state, error, iss }: CallbackQuery,
  wait: (ms: number) => Promise<void>,
): Promise<CallbackResult> {
  if (error !== null) return failed(`OAuth provider error: ${error}`)
  if (!code || !state) return failed('Missing authorization code or state parameter')
  try {
    return await exchange(code, state, iss)
  } catch (first) {
    if (!isWorthRetry(first)) return failed(sentenceOf(first))
    await wait(retryWaitMs)
    // DEC-089: a state that is used up may have been used by this very attempt, whose answer got lost
    if (isStateGone(first)) return (await connectedMeanwhile()) ?? failed(sentenceOf(first))
    try {
      return await exchange(code, state, iss)
    } catch (second) {
      return (isStateGone(second) && (await connectedMeanwhile())) || failed(sentenceOf(second))
    }
  }
}

const failed = (sentence: string): CallbackResult => ({ status: 'error', sentence })

async function exchange(code: string, state: string, iss: string | null): Promise<CallbackResult> {
  const answer = await callApi(
    'oauth.handle',
    {
      body: {
        action: 'exchange',
        code,
        state,
        redirect_uri: redirectUri(),
        ...(iss !== null && { iss }),
      },
    },
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
  const text = error instanceof ApiError ? error.sentence : error instanceof Error ? error.message : ''
  return (
    /functionalHttpError|OAuth state not found|Database error/.test(text) ||
    isNamed(error, 'FunctionsHttpError')
  )
}

const isStateGone = (error: unknown) =>
  error instanceof ApiError && error.sentence.includes('OAuth state not found')

function sentenceOf(error: unknown): string {
  if (error instanceof NoSessionError) return 'Please sign in again, then connect once more.'
  if (!(error instanceof ApiError)) return 'OAuth callback failed'
  return error.code === 'unreadable' ? 'Unexpected response from authentication service' : error.sentence
}

/** OAUTH-08, OAUTH-09, DEC-094: tells the page that opened this window; without one, whoever listens on this origin. */
export function tellOpener(opener: Window | null, message: OAuthMessage): void {
  if (opener) {
    opener.postMessage(message, location.origin)
    return
  }
  const channel = new BroadcastChannel(oauthChannel)
  channel.postMessage(message)
  channel.close()
}
