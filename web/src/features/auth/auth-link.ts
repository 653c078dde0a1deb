/** What the address of the sign-in page asks for (NAV-03). */
export type AuthLink =
  /** mailed: confirms an account by one call */
  | { kind: 'confirm'; email: string; code: string }
  /** mailed: sets a new password; without both values the page asks for them */
  | { kind: 'recovery'; email: string; code: string }
  /** an account was confirmed elsewhere */
  | { kind: 'confirmed' }
  /** an answer of the identity provider */
  | { kind: 'failed'; sentence: string }

const cancelled = 'Google authentication was cancelled. Please try again.'
const misconfigured = 'Authentication configuration error. Please contact support.'

/**
 * Reads the sign-in page's query. Only known values lead to a sentence, and every sentence is one of ours: free text from
 * the address is never shown (DEC-029).
 */
export function readAuthLink(search: string): AuthLink | undefined {
  const query = new URLSearchParams(search)
  const email = query.get('email')?.trim() ?? ''
  const code = query.get('code')?.trim() ?? ''
  const type = query.get('type')
  if (type === 'recovery') return { kind: 'recovery', email, code }
  if (type === 'signup' && email !== '' && code !== '') return { kind: 'confirm', email, code }
  const error = query.get('error')
  if (error === 'access_denied') return { kind: 'failed', sentence: cancelled }
  const message = query.get('message')
  if (message?.toLowerCase() === 'email confirmed') return { kind: 'confirmed' }
  const unknown = error !== null || message !== null || query.has('error_description') || type !== null
  return unknown ? { kind: 'failed', sentence: misconfigured } : undefined
}
