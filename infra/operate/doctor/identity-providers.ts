import * as z from 'zod'
import { parseJson } from '#shared/parse-json.ts'
import type { IdentityProvider } from '#shared/identity-providers.ts'
import type { Config } from '../../aws/config.ts'
import { errorMessage, type Finding, ok, problem, warning } from './finding.ts'
import type { DoctorInput } from './stacks.ts'
import { fetchAdministrators } from './users.ts'

const requestMs = 10_000

/** Checks that the identity providers respond as Cognito requires, says what to register there, and who can no longer sign in. */
export async function checkIdentityProviders(
  input: DoctorInput,
  request: typeof fetch = fetch,
): Promise<Finding[]> {
  const { config, region, account } = input
  const { google, identityProviders } = config
  if (!google && identityProviders.length === 0) return [ok('none: everybody signs in with a password.')]
  const pages = `https://${config.prefix}-${account}.auth.${region}.amazoncognito.com`
  const findings = await Promise.all(
    identityProviders.map((provider) =>
      checkProvider(provider, pages, request).catch((error: unknown) =>
        // Cognito calls from another network
        warning(
          `${provider.label} could not be asked: ${errorMessage(error)}.`,
          `See whether ${findAddress(provider)} answers in a browser, and correct it in identityProviders if not.`,
        ),
      ),
    ),
  )
  return [
    ...(google
      ? [{ ...ok('Google.'), next: `Authorised redirect URI there: ${pages}/oauth2/idpresponse` }]
      : []),
    ...findings,
    ...checkSignUpDomains(config),
    ...(config.passwordSignIn ? [] : await checkPasswordless(input)),
  ]
}

const findAddress = (provider: IdentityProvider) =>
  provider.type === 'oidc' ? `${provider.issuer}/.well-known/openid-configuration` : provider.metadataUrl

async function checkProvider(
  provider: IdentityProvider,
  pages: string,
  request: typeof fetch,
): Promise<Finding> {
  const address = findAddress(provider)
  const response = await request(address, { signal: AbortSignal.timeout(requestMs) })
  const text = await response.text()
  if (!response.ok)
    return problem(
      `${provider.label} answers ${response.status} at ${address}.`,
      `Correct the address of ${provider.name} in identityProviders.`,
    )
  return provider.type === 'oidc'
    ? checkDiscovery(provider, text, pages)
    : checkMetadata(provider, text, pages)
}

/** An address that Cognito calls: https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-oidc-idp.html */
const endpoint = z
  .url({ protocol: /^https$/ })
  .regex(/^https:\/\/[^/:]+(\/|$)/, 'has a port, and Cognito takes only 443')

const discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  userinfo_endpoint: endpoint,
  jwks_uri: endpoint,
  // Cognito sends the client secret in the body, whatever this field says
  token_endpoint_auth_methods_supported: z
    .array(z.string())
    .refine((methods) => methods.includes('client_secret_post'), 'lacks client_secret_post')
    .optional(),
  claims_supported: z.array(z.string()).optional(),
})

/** Users of a provider that does not verify addresses cannot create accounts. */
const warnUnverified = (label: string, why: string) =>
  warning(
    `${label} has no domains, and ${why} whether an e-mail address is verified: nobody could make an account.`,
    'Name the e-mail domains of your organisation (domains in identityProviders).',
  )

function checkDiscovery(
  { name, label, issuer, domains }: Extract<IdentityProvider, { type: 'oidc' }>,
  text: string,
  pages: string,
): Finding {
  const { data, error } = discovery.safeParse(parseJson(text))
  if (!data)
    return problem(
      `the discovery document of ${label} is not what Cognito needs: ${error?.issues.map(({ path, message }) => `${path.join('.') || 'the document'}: ${message}`).join('; ')}.`,
      'Change it at the provider, or choose another issuer there.',
    )
  if (data.issuer !== issuer)
    return problem(
      `${label} calls itself ${data.issuer}, not ${issuer}: Cognito would reject its tokens.`,
      `Name ${data.issuer} as the issuer of ${name} in identityProviders.`,
    )
  if (domains.length === 0 && data.claims_supported?.includes('email_verified') === false)
    return warnUnverified(label, 'does not say')
  return {
    ...ok(`${label} answers, with the endpoints that Cognito needs.`),
    next: `Redirect URI there: ${pages}/oauth2/idpresponse`,
  }
}

function checkMetadata({ label, domains }: IdentityProvider, text: string, pages: string): Finding {
  const missing = ['EntityDescriptor', 'IDPSSODescriptor', 'SingleSignOnService', 'X509Certificate'].filter(
    (element) => !new RegExp(`<(?:\\w+:)?${element}[\\s>]`).test(text),
  )
  if (missing.length > 0)
    return problem(
      `the metadata of ${label} is no SAML metadata of an identity provider: ${missing.join(', ')} is missing.`,
      'Name the address of the metadata that the provider publishes (metadataUrl in identityProviders).',
    )
  if (domains.length === 0) return warnUnverified(label, 'SAML does not say')
  return {
    ...ok(`${label} answers, with SAML metadata.`),
    next: `Reply URL (ACS) there: ${pages}/saml2/idpresponse; the entity id is an output of the auth stack, SamlEntityId`,
  }
}

/** Addresses of a provider's domain cannot use passwords, whatever `signUp` says. */
function checkSignUpDomains({ signUp, identityProviders, passwordSignIn }: Config): Finding[] {
  if (!passwordSignIn) return []
  return identityProviders.flatMap(({ label, domains }) => {
    const both = domains.filter((domain) => signUp.domains.includes(domain))
    if (both.length === 0) return []
    return warning(
      `signUp names ${both.join(', ')}, which belongs to ${label}: nobody makes an account with a password there.`,
      'Leave it out of signUp: the provider admits its domains anyway.',
    )
  })
}

/** Users who cannot sign in without passwords. */
async function checkPasswordless({ config, region, stacks }: DoctorInput): Promise<Finding[]> {
  const { identityProviders, signUp } = config
  const isOpen = signUp.mode !== 'closed' || identityProviders.some(({ domains }) => domains.length > 0)
  const findings: Finding[] = []
  if (!isOpen)
    findings.push(
      warning(
        'passwordSignIn is off, signUp is closed, and no identity provider has domains: only invited users can make an account.',
        'Give the providers their domains, or set signUp, unless you mean it.',
      ),
    )
  const administrators = (await fetchAdministrators({ region, stacks })) ?? []
  const strandedAdministrators = administrators
    .filter(({ UserStatus }) => UserStatus !== 'EXTERNAL_PROVIDER')
    .map(
      ({ Username, Attributes = [] }) =>
        Attributes.find(({ Name }) => Name === 'email')?.Value ?? Username ?? 'unknown',
    )
  if (strandedAdministrators.length > 0)
    findings.push(
      warning(
        `passwordSignIn is off, and ${strandedAdministrators.length === 1 ? 'an administrator has' : `${strandedAdministrators.length} administrators have`} an account with a password, which cannot sign in: ${strandedAdministrators.join(', ')}.`,
        'Let an identity provider name administrators (adminGroup), or grant-admin an account that was made with one.',
      ),
    )
  return findings
}
