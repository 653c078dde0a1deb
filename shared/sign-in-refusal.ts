/** Why a trigger of the user pool refuses a sign-up, a sign-in or a change; the page has a sentence for each. */
export type RefusalCode =
  | 'account_exists'
  | 'account_exists_password_off'
  | 'email_fixed'
  | 'name_required'
  | 'name_too_long'
  | 'password_off'
  | 'provider_off'
  | 'sign_up_closed'
  | 'sign_up_domains'
  | 'use_provider'

/** A refusal as clients get it. The code may be one of a newer release. */
export interface SignInRefusal {
  readonly code: string
  /** the name of the identity provider with which to sign in */
  readonly provider?: string
}

/**
 * The message of a trigger's error. Cognito gives clients only a text, the trigger's message between words of its own: as the message of
 * `UserLambdaValidationException`, and as `error_description` of the hosted pages. So the code stands at the end of a sentence for people.
 */
export const formatRefusal = (
  sentence: string,
  { code, provider }: SignInRefusal & { readonly code: RefusalCode },
): string => `${sentence} [code=${code}${provider === undefined ? '' : ` provider=${provider}`}]`

// Cognito adds a full stop; its names of providers have no more than 32 characters
const ending = / \[code=([a-z_]{1,40})(?: provider=([\w-]{1,32}))?\]\.?$/

/** The refusal in an error of the user pool; undefined if its text has none, such as the error of a trigger that failed. */
export function parseRefusal(message: string): SignInRefusal | undefined {
  const [, code, provider] = ending.exec(message.trimEnd()) ?? []
  return code === undefined ? undefined : { code, ...(provider !== undefined && { provider }) }
}
