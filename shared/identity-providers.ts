import * as z from 'zod'
import { domainPattern } from './domain-pattern.ts'

/** An identity provider of the operator in the user pool, beside Google. */
export type IdentityProvider = z.infer<typeof identityProvider>

/** What `/config.json` tells the page: the button's text, and which e-mail addresses belong to the provider (lower case). */
export interface PublicIdentityProvider {
  /** Cognito's `identity_provider` at the hosted pages */
  readonly name: string
  readonly label: string
  readonly domains: readonly string[]
}

/** What the pool's triggers know of a provider, Google included. */
export type ProviderConfig = Pick<IdentityProvider, 'type' | 'name' | 'label' | 'domains' | 'adminGroup'> & {
  readonly usesGroups: boolean
}

/** The user pool's attribute for the groups that a provider names; every pool has it, because no attribute can be removed. */
export const groupsAttribute = 'custom:groups'

/** Names that Cognito gives a meaning of its own. */
const reservedNames = /^(?:cognito|google|facebook|loginwithamazon|signinwithapple)$/i

const limitedText = (max: number) => {
  const error = `must be a text of 1 to ${max} characters`
  return z.string(error).trim().min(1, error).max(max, error)
}

const common = {
  // https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateIdentityProvider.html: 32 characters, no `_`
  name: z
    .string('must be a text')
    .regex(/^[A-Za-z][A-Za-z0-9-]{2,31}$/, 'must be 3 to 32 letters, digits or hyphens, a letter first')
    .refine((name) => !reservedNames.test(name), 'is a name of Cognito’s own'),
  /** on the button: "Continue with …" */
  label: limitedText(40),
  /** e-mail domains: the provider admits their users, proves their addresses, and the page leads them to it */
  domains: z
    .array(z.string().trim().toLowerCase().regex(domainPattern, 'must be a domain such as example.org'))
    .default([]),
  /** claim (OIDC) or attribute (SAML) with the names of the user's groups; those that the product knows count */
  groupsClaim: limitedText(200).optional(),
  /** the group of the provider whose members administrate the product; without it the provider makes nobody an administrator */
  adminGroup: limitedText(128).optional(),
}
// with another port than 443, or a slash at the end of an issuer, every sign-in fails:
// https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-oidc-idp.html
const httpsUrl = z
  .url({ protocol: /^https$/, error: 'must be an https URL' })
  .regex(/^https:\/\/[^/:]+(\/|$)/, 'must not name a port, because Cognito takes only 443')

const identityProvider = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      ...common,
      type: z.literal('oidc'),
      issuer: httpsUrl.refine((url) => !url.endsWith('/'), 'must not end with a slash'),
      clientId: limitedText(255),
      /** name of the secret in Secrets Manager that holds the client secret */
      secretName: z
        .string('must be the name of a Secrets Manager secret')
        .regex(/^[A-Za-z0-9/_+=.@-]{1,512}$/, 'must be the name of a Secrets Manager secret'),
    }),
    z.strictObject({ ...common, type: z.literal('saml'), metadataUrl: httpsUrl }),
  ],
  'must be oidc or saml',
)

const notList = 'must be a list in JSON'

/** The providers as a list, which cdk.json may contain, or as JSON, as on the command line. */
export const identityProviderList = z
  .union([z.string(), z.array(z.unknown())], notList)
  .transform((input, check): unknown => {
    if (typeof input !== 'string') return input
    try {
      return JSON.parse(input)
    } catch {
      check.addIssue({ code: 'custom', message: notList })
      return z.NEVER
    }
  })
  .pipe(z.array(identityProvider, notList).max(10, 'must not be more than 10'))
  .superRefine((providers, check) => {
    const issue = (message: string) => check.addIssue({ code: 'custom', message })
    const repeatedName = findRepeated(providers.map(({ name }) => name.toLowerCase()))
    if (repeatedName !== undefined) issue(`has two providers named "${repeatedName}"`)
    const domain = findRepeated(providers.flatMap(({ domains }) => domains))
    if (domain !== undefined) issue(`gives "${domain}" to two providers`)
    const provider = providers.find(({ adminGroup, groupsClaim }) => adminGroup !== undefined && !groupsClaim)
    if (provider) issue(`has an adminGroup without a groupsClaim (${provider.name})`)
  })

const findRepeated = (values: readonly string[]): string | undefined =>
  values.find((value, index) => values.indexOf(value) !== index)

/** What the page may know of the providers: nothing of their configuration. */
export const toPublicProviders = (providers: readonly IdentityProvider[]): PublicIdentityProvider[] =>
  providers.map(({ name, label, domains }) => ({ name, label, domains }))

/** Google has its own configuration: it names no groups, and no domain belongs to it. */
export const googleConfig: ProviderConfig = {
  type: 'oidc',
  name: 'Google',
  label: 'Google',
  domains: [],
  usesGroups: false,
}

/** What a function's environment contains; `readProviderConfigs` reads it. */
export const formatProviderConfigs = (
  providers: readonly IdentityProvider[],
  { hasGoogle }: { hasGoogle: boolean },
): string =>
  JSON.stringify([
    ...(hasGoogle ? [googleConfig] : []),
    ...providers.map(({ type, name, label, domains, adminGroup, groupsClaim }): ProviderConfig => ({
      type,
      name,
      label,
      domains,
      adminGroup,
      usesGroups: groupsClaim !== undefined,
    })),
  ])

/** @throws SyntaxError for text that is no JSON */
export const readProviderConfigs = (text: string): readonly ProviderConfig[] =>
  JSON.parse(text) as ProviderConfig[]
