import { t } from '@lingui/core/macro'
import { describeRefusal } from './auth-errors.ts'
import { accountDisabled } from '../../lib/api/api-errors.ts'
import * as texts from './error-texts.ts'
import { createErrorDetails, type ErrorDetails } from '../../lib/api/error-details.ts'
import { google } from '../../lib/sign-in/identity-providers.ts'

const describeProviderRefusal = (label: string | undefined) =>
  label === undefined
    ? t`The identity provider did not sign you in: you cancelled, or your account there may not use this site. Please try again, or ask the person who runs the site.`
    : t`${label} did not sign you in: you cancelled, or your account there may not use this site. Please try again, or ask the person who runs the site.`

/** The request that a link to the sign-in page carries. `isAccountRefused`: the user pool refused the account with which the user came back. */
export type AuthLink =
  /** from an e-mail: confirms an account */
  | { kind: 'confirm'; email: string; code: string }
  /** from an e-mail: sets a new password; a value that the link does not have is empty, and the page then shows the sign-in form */
  | { kind: 'recovery'; email: string; code: string }
  /** the link of an invitation to sign up */
  | { kind: 'invited'; email: string; secret?: string }
  /** an account was confirmed elsewhere */
  | { kind: 'confirmed' }
  /** back from the identity provider with an authorization code */
  | { kind: 'hosted'; code: string; state: string }
  /** back from the identity provider: the site does not allow the address or the account */
  | { kind: 'refused'; userMessage: string; cause: ErrorDetails; isAccountRefused?: true }
  /** an error of the hosted pages, an address that has an account already, or a link that is not known */
  | { kind: 'failed'; userMessage: string; cause: ErrorDetails; isAccountRefused?: true }

/**
 * Parses the address of the sign-in page. No message contains text of the address.
 * @param address its `hash` has the secret of a mailed invitation
 * @param label the label of the identity provider from which the user may come back, if known
 * @returns undefined for an address without a link
 */
export function parseAuthLink(
  { search, hash }: Pick<Location, 'search' | 'hash'>,
  label: string | undefined,
): AuthLink | undefined {
  const query = new URLSearchParams(search)
  const email = query.get('email')?.trim() ?? ''
  const code = query.get('code')?.trim() ?? ''
  const type = query.get('type')
  if (type === 'recovery') return { kind: 'recovery', email, code }
  if (type === 'signup' && email !== '' && code !== '') return { kind: 'confirm', email, code }
  const error = query.get('error')
  if (error !== null) return describeHostedError(error, query.get('error_description') ?? '', label)
  const state = query.get('state')
  if (type === null && code !== '' && state) return { kind: 'hosted', code, state }
  const secret = new URLSearchParams(hash.slice(1)).get('secret')
  if (type === null && query.has('invite')) return { kind: 'invited', email, ...(secret && { secret }) }
  const message = query.get('message')
  if (message?.toLowerCase() === 'email confirmed') return { kind: 'confirmed' }
  const isUnknown = message !== null || query.has('error_description') || type !== null
  return isUnknown
    ? { kind: 'failed', userMessage: texts.misconfigured, cause: createErrorDetails('unknown_link') }
    : undefined
}

/** What the hosted pages report instead of a code: errors of the provider, of the user pool, and of its triggers. */
function describeHostedError(error: string, description: string, label: string | undefined): AuthLink {
  const cause = createErrorDetails(/^\w{1,64}$/.test(error) ? error : 'unknown_error')
  const createFailure = (userMessage: string) => ({ kind: 'failed' as const, userMessage, cause })
  if (error === 'access_denied')
    return createFailure(
      label === google.label
        ? t`Google authentication was cancelled. Please try again.`
        : describeProviderRefusal(label),
    )
  const refusal = describeRefusal(description)
  if (refusal)
    return {
      kind: refusal.isExisting ? 'failed' : 'refused',
      userMessage: refusal.userMessage,
      cause,
      isAccountRefused: true,
    }
  if (/user is disabled/i.test(description))
    return { kind: 'refused', userMessage: accountDisabled, cause, isAccountRefused: true }
  return createFailure(
    /^Pre(Authentication|TokenGeneration) /.test(description) ? texts.unknownError : texts.misconfigured,
  )
}
