import * as errors from 'jose/errors'
import { createLocalJWKSet } from 'jose/jwks/local'
import { createRemoteJWKSet } from 'jose/jwks/remote'
import { jwtVerify, type JWTVerifyGetKey } from 'jose/jwt/verify'
import type { JWTPayload } from 'jose'
import { apiScope, selfServiceScope } from '#shared/user-pool.ts'
import { InvalidToken, NotSignedIn, SignInUnavailable } from '../errors.ts'
import { duringInit } from '../during-init.ts'
import { logger } from '../telemetry/logger.ts'
import { waitForAll } from '../wait-for-all.ts'

/** The caller, as the verified token tells. It carries no e-mail: ask Cognito's AdminGetUser for one. */
export interface User {
  readonly sub: string
  /** the account's name at the pool: the sub, or `Google_…` for who comes from Google */
  readonly username: string
  /** when the token was made, seconds */
  readonly issuedAt: number
  /** when the person signed in for it, seconds; a refresh does not move it */
  readonly signedInAt: number
  /** names the sign-in, the same in every token refreshed from it; empty in a token that does not tell */
  readonly signInId: string
  /** whether the token comes from a sign-in itself, not from a refresh: Cognito takes no other for its self-service operations */
  readonly selfService: boolean
}

/** How long the signing keys are used before they are fetched again, and how soon after a failure. */
const keyCacheMs = 600_000
const keyRetryMs = 30_000

export interface TokenVerifierOptions {
  issuer: string
  jwksUri: string
  /** the app client's id; known only after deployment, so it is asked for when needed */
  clientId: () => Promise<string>
}

/** What jose throws when the key set itself cannot be had, as against a key that is not in it. */
function isKeySetFailure(error: unknown): boolean {
  return (
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
    !(error instanceof errors.JOSEError)
  )
}

/**
 * The keys that tokens are signed with. While they cannot be fetched, the ones fetched last go on being used: a pool changes its
 * keys rarely, and an outage of their address would otherwise sign everybody out.
 */
function signingKeys(jwksUri: string): () => Promise<JWTVerifyGetKey> {
  const remote = createRemoteJWKSet(new URL(jwksUri), { cacheMaxAge: keyCacheMs, timeoutDuration: 5_000 })
  duringInit(() => remote.reload())
  let retryAtMs = 0
  return async () => {
    const fetched = remote.jwks()
    if (!fetched || remote.fresh) return remote
    if (Date.now() >= retryAtMs)
      await remote.reload().catch((error: unknown) => {
        retryAtMs = Date.now() + keyRetryMs
        logger.warn('signing keys could not be fetched, the last ones stay in use', { error })
      })
    if (remote.fresh) return remote
    const lastKeys = createLocalJWKSet(fetched)
    return (...token) =>
      lastKeys(...token).catch((cause: unknown) => {
        // it may be signed with a key that is new since
        throw new SignInUnavailable('no signing key for the token, and none can be fetched', { cause })
      })
  }
}

async function verify(token: string, keys: JWTVerifyGetKey, issuer: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      algorithms: ['RS256'],
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    return payload
  } catch (error) {
    if (error instanceof SignInUnavailable) throw error
    if (isKeySetFailure(error)) throw new SignInUnavailable('no signing keys', { cause: error })
    throw new InvalidToken('the token does not verify', { cause: error })
  }
}

/** The token of an Authorization header. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]

/**
 * @returns a function that takes the Authorization header's value and gives the user of a verified access token: signature,
 *   issuer, expiry, token_use, client and scope
 * @throws NotSignedIn without a bearer token, InvalidToken, SignInUnavailable when the keys cannot be fetched
 */
export function tokenVerifier({ issuer, jwksUri, clientId }: TokenVerifierOptions) {
  const keys = signingKeys(jwksUri)
  duringInit(clientId)
  return async (authorization: string | undefined): Promise<User> => {
    const token = bearerToken(authorization)
    if (!token) throw new NotSignedIn('the header holds no token')
    // at the first call both are fetched
    const [claims, expectedClient] = await waitForAll([
      keys().then((found) => verify(token, found, issuer)),
      clientId(),
    ])
    const scopes = typeof claims['scope'] === 'string' ? claims['scope'].split(' ') : []
    if (claims['token_use'] !== 'access') throw new InvalidToken('not an access token')
    if (claims['client_id'] !== expectedClient) throw new InvalidToken('a token of another client')
    if (!scopes.includes(apiScope)) throw new InvalidToken('the token lacks the scope')
    const { sub = '', iat = 0, username, auth_time: signedInAt, origin_jti: signInId } = claims
    return {
      sub,
      username: typeof username === 'string' ? username : sub,
      issuedAt: iat,
      signedInAt: typeof signedInAt === 'number' ? signedInAt : 0,
      signInId: typeof signInId === 'string' ? signInId : '',
      selfService: scopes.includes(selfServiceScope),
    }
  }
}
