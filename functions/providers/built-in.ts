import * as z from 'zod'
import data from './built-in.json' with { type: 'json' }

const oauthAddresses = { authUrl: z.string(), tokenUrl: z.string(), revokeUrl: z.string().optional() }

const oauth = z.strictObject({
  ...oauthAddresses,
  /** where refresh does not go to the token address */
  refreshUrl: z.string().optional(),
  scopes: z.array(z.string()),
  scopeSeparator: z.string(),
  /*
   * Looked up on 2026-11-20. Discord says S256 in https://discord.com/.well-known/oauth-authorization-server; Figma takes a verifier
   * beside the secret (https://github.com/oomol-lab/open-connector/pull/296). Still none: Atlassian (https://jira.atlassian.com/browse/ECO-283),
   * LinkedIn but for native apps that it has approved (https://learn.microsoft.com/linkedin/shared/authentication/authorization-code-flow-native),
   * and Intercom, Mailchimp, PayPal, Shopify and Typeform, whose documents do not name it.
   */
  pkce: z.enum(['required', 'supported', 'unsupported']),
  /** how the client secret goes to the token address */
  clientAuth: z.enum(['post', 'basic']),
  authParams: z.record(z.string(), z.string()),
  tokenParams: z.record(z.string(), z.string()),
  /** `none`: there are no refresh tokens, the person connects again */
  refresh: z.enum(['rotating', 'static', 'none']),
  /** lifetime of an access token if the response has no `expires_in`; null: it does not expire */
  expiresInSeconds: z.number().nullable(),
  sandbox: z.strictObject({ ...oauthAddresses }).optional(),
  /** the header that carries the access token where it is not a bearer token in `Authorization` */
  tokenHeader: z.string().optional(),
})

const provider = z.strictObject({
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  description: z.string(),
  popularity: z.number(),
  auth_type: z.enum(['oauth2', 'api_key']),
  features: z.array(z.string()),
  icon: z.string(),
  openUrl: z.string(),
  sandboxSupported: z.boolean(),
  environments: z.array(z.enum(['production', 'sandbox'])),
  /** root of the API, without a slash at its end */
  apiBase: z.string(),
  sandboxApiBase: z.string().optional(),
  /** roots beside it that some calls go to, by what they are for */
  otherBases: z.record(z.string(), z.string()).optional(),
  oauth: oauth.optional(),
  /** parts of the addresses that differ per tenant; each is checked before an address is built */
  addressParameters: z.array(
    z.strictObject({
      name: z.string(),
      label: z.string(),
      optional: z.boolean(),
      example: z.string(),
      pattern: z.string(),
      default: z.string().optional(),
    }),
  ),
  apiKey: z
    .strictObject({
      fields: z.array(
        z.strictObject({ name: z.string(), label: z.string(), secret: z.boolean(), placeholder: z.string() }),
      ),
      /** a read that proves the values; `{name}` stands for a field */
      testCall: z.strictObject({
        path: z.string(),
        authorization: z.string(),
        headers: z.record(z.string(), z.string()),
      }),
    })
    .optional(),
  remoteMcp: z.strictObject({ url: z.string(), auth: z.string() }).optional(),
  setup: z.strictObject({
    setupUrl: z.string(),
    docsUrl: z.string(),
    appType: z.string(),
    steps: z.array(z.string()),
  }),
})

/** An integration that the product itself knows how to connect. */
export type BuiltInProvider = z.output<typeof provider>
export type ProviderOAuth = z.output<typeof oauth>

/** REG-05: the 27 providers of the catalogue that are always there. */
export const builtInProviders: readonly BuiltInProvider[] = z.array(provider).parse(data)

const byId = new Map(builtInProviders.map((one) => [one.id, one]))

export function findProvider(id: string): BuiltInProvider | undefined {
  return byId.get(id)
}
