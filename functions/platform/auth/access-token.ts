import * as errors from 'jose/errors'
import { createLocalJWKSet } from 'jose/jwks/local'
import { createRemoteJWKSet } from 'jose/jwks/remote'
import { jwtVerify, type JWTVerifyGetKey } from 'jose/jwt/verify'
import type { JWTPayload } from 'jose'
import * as z from 'zod'
import { fromPoolGroupName } from '#shared/group-names.ts'
import { twoFactorClaim } from '#shared/two-factor-claim.ts'
import { apiScope, selfServiceScope } from '#shared/user-pool.ts'
import { InvalidToken, NotSignedIn, SignInUnavailable } from '../errors.ts'
import { startDuringInit } from '../during-init.ts'
import { logger } from '../telemetry/logger.ts'
import { waitLimitsMs } from '../wait-limits.ts'
import { waitForAll } from '../wait-for-all.ts'

/** The caller, from a verified token. Tokens carry no e-mail; Cognito's AdminGetUser returns it. */
export interface User {
  readonly sub: string
  /** username in the pool: the sub, or `Google_…` for Google accounts */
  readonly username: string
  /** issue time of the token, seconds */
  readonly issuedAt: number
  /** time of the sign-in, seconds; a refresh does not change it */
  readonly signedInAt: number
  /** id of the sign-in, the same in all tokens refreshed from it; empty if the token has none */
  readonly signInId: string
  /** whether the token was issued at sign-in, not by a refresh: Cognito's self-service operations require it */
  readonly hasSelfServiceScope: boolean
  /** names of the user's groups when the token was issued */
  readonly groups: readonly string[]
  /** whether the user has to set up a second factor before anything else */
  readonly mustSetUpTwoFactor: boolean
}

/** Absent from the tokens of users without a group. */
const groupNames = z.array(z.string().transform(fromPoolGroupName))

/** Cache time of the signing keys, and delay before a retry after a failure. */
const keyCacheMs = 600_000
const keyRetryMs = 30_000

export interface TokenVerifierOptions {
  issuer: string
  jwksUri: string
  /** the app client's id, loaded when needed: it is known only after the deployment */
  clientId: () => Promise<string>
}

/** Whether jose could not fetch the key set, as opposed to not finding a key in it. */
function isKeySetFailure(error: unknown): boolean {
  return (
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
    !(error instanceof errors.JOSEError)
  )
}

/**
 * The signing keys. While they cannot be fetched, the last ones stay in use: a pool rarely rotates its keys, and an outage of the key
 * endpoint would otherwise sign all users out.
 */
function openSigningKeys(jwksUri: string): () => Promise<JWTVerifyGetKey> {
  const remote = createRemoteJWKSet(new URL(jwksUri), {
    cacheMaxAge: keyCacheMs,
    timeoutDuration: waitLimitsMs.signingKeys,
  })
  startDuringInit(() => remote.reload())
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
        // the token may be signed with a newer key
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
export const parseBearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]

/**
 * @returns a function that verifies the Authorization header (signature, issuer, expiry, token_use, client and scope) and returns the user
 * @throws NotSignedIn without a bearer token, InvalidToken, SignInUnavailable when the keys cannot be fetched
 */
export function tokenVerifier({ issuer, jwksUri, clientId }: TokenVerifierOptions) {
  const keys = openSigningKeys(jwksUri)
  startDuringInit(clientId)
  return async (authorization: string | undefined): Promise<User> => {
    const token = parseBearerToken(authorization)
    if (!token) throw new NotSignedIn('the header holds no token')
    // the first call fetches both
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
      hasSelfServiceScope: scopes.includes(selfServiceScope),
      groups: groupNames.catch([]).parse(claims['cognito:groups']),
      mustSetUpTwoFactor: claims[twoFactorClaim] === 'required',
    }
  }
}
