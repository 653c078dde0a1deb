import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { InvalidToken, NotSignedIn, SignInUnavailable } from './errors.ts'

/** The caller, as the verified token tells. It carries no e-mail: ask Cognito's GetUser for one. */
export interface User {
  readonly sub: string
  /** the account's name at the pool: the sub, or `Google_…` for who comes from Google */
  readonly username: string
  /** when the token was made, seconds */
  readonly issuedAt: number
  /** when the person signed in for it, seconds; a refresh does not move it */
  readonly signedInAt: number
}

/** LIB-04: how long the signing keys are kept before they are fetched again. */
const keyCacheMs = 600_000
const requiredScope = 'aws.cognito.signin.user.admin'

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

async function verify(token: string, keys: JWTVerifyGetKey, issuer: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      algorithms: ['RS256'],
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    return payload
  } catch (error) {
    if (isKeySetFailure(error)) throw new SignInUnavailable('no signing keys', { cause: error })
    throw new InvalidToken('the token does not verify', { cause: error })
  }
}

/**
 * @returns a function that takes the Authorization header's value and gives the user of a verified access token: signature,
 *   issuer, expiry, token_use, client and scope
 * @throws NotSignedIn without a bearer token, InvalidToken, SignInUnavailable when the keys cannot be fetched
 */
export function tokenVerifier({ issuer, jwksUri, clientId }: TokenVerifierOptions) {
  const keys = createRemoteJWKSet(new URL(jwksUri), { cacheMaxAge: keyCacheMs, timeoutDuration: 5_000 })
  return async (authorization: string | undefined): Promise<User> => {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (!token) throw new NotSignedIn('the header holds no token')
    const claims = await verify(token, keys, issuer)
    const scopes = typeof claims['scope'] === 'string' ? claims['scope'].split(' ') : []
    if (claims['token_use'] !== 'access') throw new InvalidToken('not an access token')
    if (claims['client_id'] !== (await clientId())) throw new InvalidToken('a token of another client')
    if (!scopes.includes(requiredScope)) throw new InvalidToken('the token lacks the scope')
    const { sub = '', iat = 0, username, auth_time: signedInAt } = claims
    return {
      sub,
      username: typeof username === 'string' ? username : sub,
      issuedAt: iat,
      signedInAt: typeof signedInAt === 'number' ? signedInAt : 0,
    }
  }
}
