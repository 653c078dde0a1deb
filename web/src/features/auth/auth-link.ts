import { describeSignUpRefusal } from './auth-errors.ts'
import * as errorTexts from './error-texts.ts'

/** The request that a link to the sign-in page carries. */
export type AuthLink =
  /** from an e-mail: confirms an account */
  | { kind: 'confirm'; email: string; code: string }
  /** from an e-mail: sets a new password; without both values the page asks for them */
  | { kind: 'recovery'; email: string; code: string }
  /** an operator has invited somebody to sign up */
  | { kind: 'invited'; email: string }
  /** an account was confirmed elsewhere */
  | { kind: 'confirmed' }
  /** back from the identity provider with an authorization code */
  | { kind: 'google'; code: string; state: string }
  /** back from the identity provider: the site does not allow the address */
  | { kind: 'refused'; userMessage: string }
  /** an error of the identity provider */
  | { kind: 'failed'; userMessage: string }

/**
 * Parses the query of the sign-in page. Only known values lead to a message, and all messages are ours:
 * text from the URL is never shown.
 */
export function parseAuthLink(search: string): AuthLink | undefined {
  const query = new URLSearchParams(search)
  const email = query.get('email')?.trim() ?? ''
  const code = query.get('code')?.trim() ?? ''
  const type = query.get('type')
  if (type === 'recovery') return { kind: 'recovery', email, code }
  if (type === 'signup' && email !== '' && code !== '') return { kind: 'confirm', email, code }
  const error = query.get('error')
  if (error === 'access_denied') return { kind: 'failed', userMessage: errorTexts.googleCancelled }
  const refused = error === null ? undefined : describeSignUpRefusal(query.get('error_description') ?? '')
  if (refused !== undefined) return { kind: 'refused', userMessage: refused }
  // PreSignUp rejected it: the address has an account with a password
  if (error !== null && /PreSignUp.*already exists/i.test(query.get('error_description') ?? ''))
    return { kind: 'failed', userMessage: errorTexts.accountExists }
  const state = query.get('state')
  if (error === null && type === null && code !== '' && state) return { kind: 'google', code, state }
  if (error === null && type === null && query.has('invite')) return { kind: 'invited', email }
  const message = query.get('message')
  if (message?.toLowerCase() === 'email confirmed') return { kind: 'confirmed' }
  const unknown = error !== null || message !== null || query.has('error_description') || type !== null
  return unknown ? { kind: 'failed', userMessage: errorTexts.misconfigured } : undefined
}
