import { formatProviderConfigs, type IdentityProvider } from '#shared/identity-providers.ts'
import { minPasswordCharacters } from '#shared/limits.ts'
import type { AddIssue } from './bedrock-settings.ts'

/** The field of config.json for the password length; absent for the default. */
export const toPasswordLengthField = (configured: { minPasswordCharacters: number }) =>
  configured.minPasswordCharacters === minPasswordCharacters
    ? {}
    : { minPasswordCharacters: configured.minPasswordCharacters }

interface SignInSettings {
  googleClientId?: string | undefined
  googleSecretName?: string | undefined
  identityProviders: readonly IdentityProvider[]
  passwordSignIn: boolean
}

/**
 * Lambda allows 4 KB for all environment variables of a function (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html);
 * `SIGN_UP` takes up to 1,000 bytes of them.
 */
export const maxProviderConfigBytes = 2_500

/**
 * Adds an issue for each sign-in setting that is incompatible with another one.
 * @param namePrefix brand and stage: the domain of Cognito's hosted pages begins with it
 */
export function checkSignInSettings(values: SignInSettings, namePrefix: string, addIssue: AddIssue): void {
  const { googleClientId, googleSecretName, identityProviders, passwordSignIn } = values
  if (googleClientId && !googleSecretName)
    addIssue('googleSecretName', 'is missing: googleClientId is set, and the two belong together')
  if (googleSecretName && !googleClientId)
    addIssue('googleClientId', 'is missing: googleSecretName is set, and the two belong together')
  const hasProvider = googleClientId !== undefined || identityProviders.length > 0
  if (!passwordSignIn && !hasProvider)
    addIssue('passwordSignIn', 'must not be off: nobody could sign in without identityProviders or Google')
  // the longest case: with Google
  const bytes = Buffer.byteLength(formatProviderConfigs(identityProviders, { hasGoogle: true }))
  if (bytes > maxProviderConfigBytes)
    addIssue(
      'identityProviders',
      `are too long by ${(bytes - maxProviderConfigBytes).toLocaleString('en')} bytes for the environment of a function: name fewer domains`,
    )
  const reserved = /aws|amazon|cognito/.exec(namePrefix)?.[0]
  if (hasProvider && reserved)
    addIssue(
      'brandName',
      `and stage must not contain "${reserved}": Cognito refuses it in the domain of its sign-in pages`,
    )
}
