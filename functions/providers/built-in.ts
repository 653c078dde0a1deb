import * as z from 'zod'
import { entries } from './all/entries.ts'

const oauthAddresses = { authUrl: z.string(), tokenUrl: z.string(), revokeUrl: z.string().optional() }

const oauth = z.strictObject({
  ...oauthAddresses,
  /**
   * Providers with the same value share one grant per user and client: revoking a token of one connection ends the others too. Google
   * only (https://developers.google.com/identity/protocols/oauth2/web-server#tokenrevoke). Salesforce, the only other one with two
   * connections, revokes a refresh token with its own access tokens
   * (https://developer.salesforce.com/docs/platform/mobile-sdk/guide/oauth-revoking-tokens.html), and the route that is called at
   * GitHub deletes a single token (https://docs.github.com/rest/apps/oauth-applications#delete-an-app-token).
   */
  sharedGrant: z.string().optional(),
  /** if it differs from the token URL */
  refreshUrl: z.string().optional(),
  scopes: z.array(z.string()),
  /** scopes are set in the app and not requested, because apps of different ages have different ones */
  scopesFromApp: z.boolean().default(false),
  scopeSeparator: z.string(),
  /*
   * Looked up on 2026-11-20. Discord says S256 in https://discord.com/.well-known/oauth-authorization-server; Figma takes a verifier
   * beside the secret (https://github.com/oomol-lab/open-connector/pull/296). Still none: Atlassian (https://jira.atlassian.com/browse/ECO-283),
   * LinkedIn but for native apps that it has approved (https://learn.microsoft.com/linkedin/shared/authentication/authorization-code-flow-native),
   * and Intercom, Mailchimp, PayPal, Shopify and Typeform, whose documents do not name it. Slack takes it from public clients only, which have
   * no secret (https://docs.slack.dev/authentication/using-pkce): `without-secret`.
   */
  pkce: z.enum(['required', 'supported', 'unsupported', 'without-secret']),
  /** how the client secret is sent to the token URL */
  clientAuth: z.enum(['post', 'basic']),
  authParams: z.record(z.string(), z.string()),
  tokenParams: z.record(z.string(), z.string()),
  /** `none`: no refresh tokens, so the user has to reconnect */
  refresh: z.enum(['rotating', 'static', 'none']),
  /** lifetime of an access token if the response has no `expires_in`; null: it does not expire */
  expiresInSeconds: z.number().nullable(),
  sandbox: z.strictObject({ ...oauthAddresses }).optional(),
  /** the header for the access token, if not `Authorization` */
  tokenHeader: z.string().optional(),
})

const provider = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** the company that runs the service; elsewhere, `provider` is the built-in integration itself */
  provider: z.string(),
  description: z.string(),
  popularity: z.number(),
  auth_type: z.enum(['oauth2', 'api_key']),
  features: z.array(z.string()),
  icon: z.string(),
  openUrl: z.string(),
  sandboxSupported: z.boolean(),
  environments: z.array(z.enum(['production', 'sandbox'])),
  /** root of the API, without a trailing slash */
  apiBase: z.string(),
  sandboxApiBase: z.string().optional(),
  /** roots of other APIs of the provider, by purpose */
  otherBases: z.record(z.string(), z.string()).optional(),
  oauth: oauth.optional(),
  /** parts of the URLs that differ by tenant; validated before a URL is built */
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
      /** a read request that verifies the credentials; `{name}` stands for a field */
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
    sandboxSetupUrl: z.string().optional(),
    docsUrl: z.string(),
    appType: z.string(),
    steps: z.array(z.string()),
  }),
})

export type BuiltInProvider = z.output<typeof provider>
export type ProviderOAuth = z.output<typeof oauth>

/** The providers that are always in the catalogue. */
export const builtInProviders: readonly BuiltInProvider[] = entries.map((entry) => {
  const { data, error } = provider.safeParse(entry)
  if (!data) throw new Error(`functions/providers/${entry.id}/entry.json: ${error.message}`)
  return data
})

const byId = new Map(builtInProviders.map((one) => [one.id, one]))

/** Finds a built-in provider by the id of its catalogue entry. @returns undefined for other entries */
export function findProvider(id: string): BuiltInProvider | undefined {
  return byId.get(id)
}
