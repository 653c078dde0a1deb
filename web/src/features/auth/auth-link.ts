import { authSentences, describeSignUpRefusal } from './auth-errors.ts'

/** What the address of the sign-in page asks for (NAV-03). */
export type AuthLink =
  /** mailed: confirms an account by one call */
  | { kind: 'confirm'; email: string; code: string }
  /** mailed: sets a new password; without both values the page asks for them */
  | { kind: 'recovery'; email: string; code: string }
  /** an operator lets somebody make an account */
  | { kind: 'invited'; email: string }
  /** an account was confirmed elsewhere */
  | { kind: 'confirmed' }
  /** back from the identity provider, with a code for a session */
  | { kind: 'google'; code: string; state: string }
  /** back from the identity provider: the site does not admit the address */
  | { kind: 'refused'; userMessage: string }
  /** an answer of the identity provider */
  | { kind: 'failed'; userMessage: string }

/**
 * Reads the sign-in page's query. Only known values lead to a sentence, and every sentence is one of ours: free text from
 * the address is never shown (DEC-029).
 */
export function parseAuthLink(search: string): AuthLink | undefined {
  const query = new URLSearchParams(search)
  const email = query.get('email')?.trim() ?? ''
  const code = query.get('code')?.trim() ?? ''
  const type = query.get('type')
  if (type === 'recovery') return { kind: 'recovery', email, code }
  if (type === 'signup' && email !== '' && code !== '') return { kind: 'confirm', email, code }
  const error = query.get('error')
  if (error === 'access_denied') return { kind: 'failed', userMessage: authSentences.googleCancelled }
  const refused = error === null ? undefined : describeSignUpRefusal(query.get('error_description') ?? '')
  if (refused !== undefined) return { kind: 'refused', userMessage: refused }
  // PreSignUp refused: the address has an account with a password (DEC-118)
  if (error !== null && /PreSignUp.*already exists/i.test(query.get('error_description') ?? ''))
    return { kind: 'failed', userMessage: authSentences.accountExists }
  const state = query.get('state')
  if (error === null && type === null && code !== '' && state) return { kind: 'google', code, state }
  if (error === null && type === null && query.has('invite')) return { kind: 'invited', email }
  const message = query.get('message')
  if (message?.toLowerCase() === 'email confirmed') return { kind: 'confirmed' }
  const unknown = error !== null || message !== null || query.has('error_description') || type !== null
  return unknown ? { kind: 'failed', userMessage: authSentences.misconfigured } : undefined
}
