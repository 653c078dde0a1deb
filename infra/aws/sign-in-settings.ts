import type { RefinementCtx } from 'zod'
import { formatProviderRules, type IdentityProvider } from '#shared/identity-providers.ts'

interface SignInSettings {
  googleClientId?: string | undefined
  googleSecretName?: string | undefined
  identityProviders: readonly IdentityProvider[]
  passwordSignIn: boolean
}

/**
 * The providers' share of the 4 KB for all variables of a function: `SIGN_UP` takes up to 1,000
 * characters (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html).
 */
const maxRuleBytes = 2_500

/**
 * Adds an issue for each sign-in setting that is incompatible with another one.
 * @param domainPrefix of Cognito's hosted pages, without the account's number
 */
export function checkSignInSettings(
  values: SignInSettings,
  domainPrefix: string,
  check: RefinementCtx,
): void {
  const issue = (key: string, message: string) => check.addIssue({ code: 'custom', path: [key], message })
  const { googleClientId, googleSecretName, identityProviders, passwordSignIn } = values
  if (googleClientId && !googleSecretName)
    issue('googleSecretName', 'is missing: googleClientId is set, and the two belong together')
  if (googleSecretName && !googleClientId)
    issue('googleClientId', 'is missing: googleSecretName is set, and the two belong together')
  const hasProvider = googleClientId !== undefined || identityProviders.length > 0
  if (!passwordSignIn && !hasProvider)
    issue('passwordSignIn', 'must not be off: nobody could sign in without identityProviders or Google')
  const bytes = Buffer.byteLength(formatProviderRules(identityProviders, { hasGoogle: true }))
  if (bytes > maxRuleBytes)
    issue(
      'identityProviders',
      `are too long by ${(bytes - maxRuleBytes).toLocaleString('en')} bytes for the variables of a function: name fewer domains`,
    )
  const reserved = /aws|amazon|cognito/.exec(domainPrefix)?.[0]
  if (hasProvider && reserved)
    issue(
      'brandName',
      `and stage must not contain "${reserved}": Cognito refuses it in the domain of its sign-in pages`,
    )
}
