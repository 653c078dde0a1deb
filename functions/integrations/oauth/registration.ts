import { createHash } from 'node:crypto'
import * as z from 'zod'
import {
  clientDocumentPath,
  documentCallbackPath,
  buildOAuthClientMetadata,
  serverCallbackPath,
} from '#shared/oauth-client.ts'
import { parseRetryAfter } from '#shared/retry-after.ts'
import { parseEnv } from '../../platform/env.ts'
import { loadSiteConfig } from '../../platform/site-config.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import type { IntegrationDeps } from '../deps.ts'
import { type RegistrationKey, toRegistrationKey } from '../store/client-repository.ts'
import type { RemoteServer } from '../store/credential-repository.ts'
import { type DiscoveredServer, limitScopes } from './discovery.ts'
import type { OAuthClient } from '../credentials/tokens.ts'

/** A server may delete a client silently, and only its own sign-in page shows the error. Registering daily repairs this. */
const registrationLifetimeSeconds = 86_400

/** For all attempts together: the function has 30 s. */
const registrationMs = 15_000

const sealingContext = ({ issuer, resourceOrigin }: RegistrationKey) => `client|${issuer}|${resourceOrigin}`

/**
 * One redirect URI for each pair of authorization server and MCP server, so that one cannot use codes of another (mix-up attacks).
 * 128 bits of the hash make collisions infeasible.
 */
export function buildRedirectUri(origin: string, { issuer, resourceOrigin }: RegistrationKey): string {
  const hash = createHash('sha256').update(`${issuer}\n${resourceOrigin}`).digest('hex').slice(0, 32)
  return `${origin}${serverCallbackPath}/${hash}`
}

const optional = <Type extends z.ZodType>(type: Type) => type.optional().catch(undefined)

/** What is read of RFC 7591 section 3.2.1; all else may be null, empty or missing. */
const registrationResponse = z.object({
  client_id: z.string().min(1).max(2_000),
  client_secret: optional(z.string().min(1).max(4_096)),
  client_secret_expires_at: optional(z.coerce.number().nonnegative()),
  token_endpoint_auth_method: optional(z.string().min(1)),
})
type RegistrationResponse = z.output<typeof registrationResponse>

/** The product's client at an authorization server, with its redirect URI. */
export interface ClientRegistration {
  client: OAuthClient
  /** how it sends its id and secret: in the body (`post`, also without a secret) or in the header */
  clientAuth: RemoteServer['client_auth']
  redirectUri: string
}

/**
 * The client that a user has registered by hand at an authorization server.
 * @param redirectUri of this authorization server
 */
export function toClientRegistration(
  client: OAuthClient,
  { metadata, redirectUri }: Pick<DiscoveredServer, 'metadata'> & { redirectUri: string },
): ClientRegistration {
  return { client, clientAuth: chooseClientAuth(metadata), redirectUri }
}

/** RFC 8414 section 2: without a list of methods, the server takes `client_secret_basic`. */
function chooseClientAuth({ token_endpoint_auth_methods_supported: methods }: DiscoveredServer['metadata']) {
  return (methods ?? ['client_secret_basic']).includes('client_secret_basic') ? 'basic' : 'post'
}

/** Why an authorization server has not registered a client. */
export interface NotRegistered {
  isOffered: boolean
  /** the status of its refusal, if it has answered */
  status?: number
  /** when it asks to wait */
  retryAfterSeconds?: number | undefined
}

/**
 * Returns the product's client at an authorization server: its client metadata document if the server supports these and sends `iss`,
 * otherwise a dynamically registered client (RFC 7591), registered once per day, server and resource.
 * @param isForgotten whether the server seems to know a registered client no longer: another one is registered for all users, at most once an hour
 * @returns why there is none, if the server supports neither, or does not register it
 */
export async function getOrRegisterClient(
  deps: Pick<IntegrationDeps, 'clients' | 'http' | 'sealer'>,
  discovered: DiscoveredServer,
  isForgotten: (registered: ClientRegistration) => Promise<boolean>,
): Promise<ClientRegistration | NotRegistered> {
  const { origin } = await loadSiteConfig()
  const { registration_endpoint: registrationUrl } = discovered.metadata
  if (readsDocument(discovered, origin))
    return {
      client: { clientId: `${origin}${clientDocumentPath}`, clientSecret: undefined },
      clientAuth: 'post',
      redirectUri: `${origin}${documentCallbackPath}`,
    }
  if (!registrationUrl) return { isOffered: false }
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const key = toRegistrationKey(discovered.server)
  const redirectUri = buildRedirectUri(origin, key)
  const registered = await deps.clients.find(key, { redirectUri, nowSeconds })
  const known = registered && {
    client: {
      clientId: registered.client_id,
      clientSecret: registered.sealed && (await deps.sealer.open(registered.sealed, sealingContext(key))),
    },
    clientAuth: registered.client_auth,
    redirectUri,
  }
  const isRenewal =
    known !== undefined &&
    (registered?.is_forgotten === true || (await isForgotten(known))) &&
    (await deps.clients.claimRenewal(key, known.client.clientId, nowSeconds))
  if (known && !isRenewal) return known
  const client = await register(deps.http, registrationUrl, discovered, { origin, redirectUri })
  if ('isOffered' in client) return client
  const { client_id: clientId, client_secret: clientSecret, client_secret_expires_at: expiresAt } = client
  const clientAuth = readClientAuth(client, discovered.metadata)
  await deps.clients.put({
    issuer: key.issuer,
    resource_origin: key.resourceOrigin,
    client_id: clientId,
    client_auth: clientAuth,
    redirect_uri: redirectUri,
    ...(clientSecret !== undefined && { sealed: await deps.sealer.seal(clientSecret, sealingContext(key)) }),
    // RFC 7591 section 3.2.1: 0 says that the secret does not expire
    expires_at_seconds: Math.min(nowSeconds + registrationLifetimeSeconds, expiresAt || Infinity),
    ...(isRenewal && { renewed_at_seconds: nowSeconds }),
  })
  return { client: { clientId, clientSecret }, clientAuth, redirectUri }
}

/**
 * Whether the server reads the document of this product's client. Such an address is https
 * (draft-ietf-oauth-client-id-metadata-document, section 3); one of http is tried only where a local server offers nothing else.
 */
function readsDocument(
  { supportsClientMetadataDocument: isSupported, server, metadata }: DiscoveredServer,
  origin: string,
): boolean {
  const { protocol } = new URL(origin)
  const isLast = metadata.registration_endpoint === undefined
  return isSupported && protocol === new URL(server.issuer).protocol && (protocol === 'https:' || isLast)
}

async function register(
  http: IntegrationDeps['http'],
  url: string,
  { metadata, scope }: DiscoveredServer,
  { origin, redirectUri }: { origin: string; redirectUri: string },
): Promise<RegistrationResponse | NotRegistered> {
  const { BRAND_NAME: name } = parseEnv({ BRAND_NAME: z.string() })
  const { token_endpoint_auth_method: publicClient, ...required } = buildOAuthClientMetadata({
    origin,
    name,
    redirectUri,
  })
  const method = metadata.token_endpoint_auth_methods_supported?.find((one) => secretMethods.has(one))
  const withScope = scope !== undefined && { scope }
  const allScopes = limitScopes(metadata.scopes_supported?.join(' '))
  const withoutRefresh = { ...required, grant_types: ['authorization_code'] }
  // RFC 7591 section 2: all but the redirect URI may be left to the server
  const attempts = [
    { ...required, token_endpoint_auth_method: publicClient, ...withScope },
    { ...required, token_endpoint_auth_method: publicClient },
    // servers that register a client with their own scopes only: dozigden/boardoil#11
    ...(allScopes === undefined || allScopes === scope
      ? []
      : [{ ...required, token_endpoint_auth_method: publicClient, scope: allScopes }]),
    { ...required, ...(method !== undefined && { token_endpoint_auth_method: method }) },
    // servers that issue no refresh tokens: TracecatHQ/tracecat#3069, better-auth/better-auth#11175
    { ...withoutRefresh, token_endpoint_auth_method: publicClient },
    { client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: publicClient },
    { redirect_uris: [redirectUri] },
  ]
  let refusal: NotRegistered = { isOffered: true }
  const deadline = AbortSignal.timeout(registrationMs)
  for (const clientMetadata of attempts) {
    if (deadline.aborted) break
    try {
      const { status, headers, text } = await http.text(url, {
        method: 'POST',
        redirect: 'error',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(clientMetadata),
        signal: deadline,
      })
      if (status < 300) return registrationResponse.parse(JSON.parse(text))
      refusal = {
        isOffered: true,
        status,
        retryAfterSeconds: parseRetryAfter(headers.get('retry-after')),
      }
      if (status !== 400 && status !== 422) break
    } catch (error) {
      logger.warn('dynamic client registration failed', { error })
      return { isOffered: true }
    }
  }
  // the server's own error text is untrusted and is not logged
  const { status = 0 } = refusal
  logger.warn('dynamic client registration failed', { status })
  return refusal
}

const secretMethods = new Set(['client_secret_basic', 'client_secret_post'])

/** RFC 7591 allows a server to register another method than the requested one; some leave it out. */
function readClientAuth(
  { client_secret: secret, token_endpoint_auth_method: method }: RegistrationResponse,
  metadata: DiscoveredServer['metadata'],
): RemoteServer['client_auth'] {
  if (secret !== undefined && method === undefined) return chooseClientAuth(metadata)
  return method === 'client_secret_basic' ? 'basic' : 'post'
}
