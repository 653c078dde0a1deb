import type { Contract } from './contract.ts'

/** What a provider publishes about its OAuth 2.0 endpoints, beyond RFC 6749. Compared with two published lists on 2026-11-20. */
interface PublishedOAuth {
  /** further parameters of the authorization request */
  parameters?: readonly string[]
  /** further parameters of the token request */
  tokenParameters?: readonly string[]
  /** scopes that no operation names, such as the one for refresh tokens */
  scopes?: readonly string[]
  /** RFC 7636 */
  pkce?: boolean
  /** where the client secret is sent; the body by default */
  clientAuth?: 'basic'
}

const google: PublishedOAuth = { parameters: ['access_type', 'prompt', 'login_hint'], pkce: true }
const atlassian: PublishedOAuth = { parameters: ['audience', 'prompt'], scopes: ['offline_access'] }

const publishedOAuth: Readonly<Record<string, PublishedOAuth>> = {
  gmail: google,
  'google-drive': google,
  'google-calendar': google,
  slack: { parameters: ['user_scope', 'team'], pkce: true },
  hubspot: { parameters: ['optional_scope'], scopes: ['oauth'], pkce: true },
  github: { parameters: ['login', 'allow_signup', 'prompt'], pkce: true },
  salesforce: { parameters: ['prompt', 'login_hint'], scopes: ['refresh_token'], pkce: true },
  discord: { parameters: ['prompt'], pkce: true },
  shopify: { tokenParameters: ['expiring'] },
  zoom: { pkce: true, clientAuth: 'basic' },
  mailchimp: {},
  asana: { pkce: true },
  dropbox: { parameters: ['token_access_type', 'force_reapprove'], pkce: true },
  linkedin: { scopes: ['openid', 'email'] },
  'microsoft-graph': {
    parameters: ['response_mode', 'prompt', 'login_hint'],
    scopes: ['offline_access'],
    pkce: true,
  },
  jira: atlassian,
  confluence: atlassian,
  figma: { pkce: true, clientAuth: 'basic' },
  intercom: {},
  typeform: { scopes: ['offline'] },
  linear: { parameters: ['prompt', 'actor'], pkce: true },
  paypal: { scopes: ['openid'], clientAuth: 'basic' },
}

const standardParameters = ['response_type', 'client_id', 'redirect_uri', 'state', 'scope']
const pkceParameters = ['code_challenge', 'code_challenge_method']
const standardTokenParameters = [
  'grant_type',
  'code',
  'redirect_uri',
  'refresh_token',
  'client_id',
  'client_secret',
]

const findUnknown = (names: Iterable<string>, known: readonly string[]) =>
  [...names].find((name) => !known.includes(name))

/** The scopes that a provider publishes for the operations in use, and for sign-in itself. */
export const listScopes = (provider: string, { operations }: Contract): string[] => [
  ...Object.values(operations).flatMap(({ scopes = [] }) => scopes),
  ...(publishedOAuth[provider]?.scopes ?? []),
]

/** @returns what is wrong with an authorization request; undefined for a valid one, and for other authorization servers */
export function findAuthorizationProblem(
  provider: string,
  contract: Contract | undefined,
  query: URLSearchParams,
): string | undefined {
  const published = publishedOAuth[provider]
  if (!published || !contract) return undefined
  const { parameters = [], pkce = false } = published
  const unknown = findUnknown(query.keys(), [
    ...standardParameters,
    ...parameters,
    ...(pkce ? pkceParameters : []),
  ])
  if (unknown !== undefined) return `The parameter ${unknown} is not known.`
  const requested = (query.get('scope') ?? '').split(/[ ,]+/).filter((scope) => scope !== '')
  const scope = findUnknown(requested, listScopes(provider, contract))
  return scope === undefined ? undefined : `The scope ${scope} is not known.`
}

/** @returns the error code of RFC 6749 for a token request; undefined for a valid one, and for other authorization servers */
export function findTokenProblem(
  provider: string,
  form: URLSearchParams,
  authorizationHeader: string | undefined,
): 'invalid_request' | 'invalid_client' | undefined {
  const published = publishedOAuth[provider]
  if (!published) return undefined
  const { tokenParameters = [], pkce = false, clientAuth } = published
  const known = [...standardTokenParameters, ...tokenParameters, ...(pkce ? ['code_verifier'] : [])]
  if (findUnknown(form.keys(), known) !== undefined) return 'invalid_request'
  const hasAuthorizationHeader = authorizationHeader !== undefined
  const hasSecretElsewhere = clientAuth === 'basic' ? form.has('client_secret') : hasAuthorizationHeader
  return hasSecretElsewhere ? 'invalid_client' : undefined
}
