import { generateKeyPair as generateKeyPairCallback, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import {
  createLocalJWKSet,
  errors as joseErrors,
  exportJWK,
  importJWK,
  jwtVerify,
  SignJWT,
  type JSONWebKeySet,
  type JWK,
} from 'jose'
import { type AttributeSettings, selectReadableAttributes } from './attributes.ts'
import { CognitoError, userDisabled } from './errors.ts'
import type { PoolStore, PoolUser, TokenFamily } from './pool-store.ts'
import type { tokenTrigger, TokenChanges } from './token-trigger.ts'

const generateKeyPair = promisify(generateKeyPairCallback)

/** Lifetime of access and ID tokens in seconds. */
const TOKEN_SECONDS = 900
/** Lifetime of a sign-in, however often it is refreshed. */
const FAMILY_MS = 30 * 86_400_000
/** A replaced refresh token keeps working this long, for a second tab or a lost response. */
const GRACE_MS = 60_000

const ADMIN_SCOPE = 'aws.cognito.signin.user.admin'
/** The scope of a sign-in by the API. */
const API_SCOPES = [ADMIN_SCOPE]
/** The scopes that a hosted sign-in may request. */
export const HOSTED_SCOPE = `openid email profile ${ADMIN_SCOPE}`

/** The result of a sign-in or a refresh. */
export interface AuthenticationResult {
  AccessToken: string
  IdToken: string
  RefreshToken: string
  ExpiresIn: number
  TokenType: 'Bearer'
}

interface SigningKeys {
  /** Signs new tokens. */
  current: JWK
  /** Published beside it: the next one, or the one before. */
  other: JWK
}

type TokenTrigger = ReturnType<typeof tokenTrigger>

interface TokenOptions {
  issuer: string
  clientId: string
  readAttributes: AttributeSettings['readAttributes']
  /** determines the groups of both tokens, and scopes and further claims of the access token */
  trigger: TokenTrigger
}

/** Signs, refreshes and checks the tokens of one pool. Keys and token families survive a restart. */
export class PoolTokens {
  readonly #store: PoolStore
  readonly #issuer: string
  readonly #clientId: string
  readonly #readAttributes: AttributeSettings['readAttributes']
  readonly #trigger: TokenTrigger
  #keys: SigningKeys

  private constructor(
    store: PoolStore,
    { issuer, clientId, readAttributes, trigger }: TokenOptions,
    keys: SigningKeys,
  ) {
    this.#store = store
    this.#issuer = issuer
    this.#clientId = clientId
    this.#readAttributes = readAttributes
    this.#trigger = trigger
    this.#keys = keys
  }

  static async open(store: PoolStore, options: TokenOptions): Promise<PoolTokens> {
    const stored = store.findSetting('signingKeys')
    if (stored) return new PoolTokens(store, options, JSON.parse(stored) as SigningKeys)
    const keys = { current: await newKey(), other: await newKey() }
    store.putSetting('signingKeys', JSON.stringify(keys))
    return new PoolTokens(store, options, keys)
  }

  /** The public keys, as served under `/.well-known/jwks.json`. */
  get jwks(): JSONWebKeySet {
    return {
      keys: [this.#keys.current, this.#keys.other].map(({ kty, n, e, kid }) => ({
        kty: kty ?? 'RSA',
        ...(n && { n }),
        ...(e && { e }),
        ...(kid && { kid }),
        alg: 'RS256',
        use: 'sig',
      })),
    }
  }

  /** Signs with the other published key from now on and announces a new one. */
  async rotateKeys(): Promise<void> {
    this.#keys = { current: this.#keys.other, other: await newKey() }
    this.#store.putSetting('signingKeys', JSON.stringify(this.#keys))
  }

  /** Tokens of a new sign-in by the API. @throws what the trigger throws */
  issue(user: PoolUser): Promise<AuthenticationResult> {
    return this.#begin(user, 'TokenGeneration_Authentication', API_SCOPES)
  }

  /** Tokens of a new sign-in at the hosted pages, with the scopes that it asked for. @throws what the trigger throws */
  issueHosted(user: PoolUser, scopes: readonly string[]): Promise<AuthenticationResult> {
    return this.#begin(user, 'TokenGeneration_HostedAuth', scopes)
  }

  async #begin(
    user: PoolUser,
    source: 'TokenGeneration_Authentication' | 'TokenGeneration_HostedAuth',
    scopes: readonly string[],
  ): Promise<AuthenticationResult> {
    const changes = await this.#trigger(user, source, scopes)
    const now = Date.now()
    const family = {
      originJti: randomUUID(),
      sub: user.sub,
      authTime: now,
      expiresAt: now + FAMILY_MS,
      revoked: false,
      scopes: scopes.join(' '),
    }
    return this.#signTokens(user, { family, changes, refreshToken: this.#store.addFamily(family) })
  }

  /**
   * Exchanges a refresh token for new tokens, a new refresh token among them; the sign-in's end stays.
   * @throws NotAuthorizedException for an unknown, revoked or ended one, RefreshTokenReuseException for one
   * that was replaced more than the grace period ago, and what the trigger throws
   */
  async refresh(refreshToken: string): Promise<AuthenticationResult> {
    const found = this.#store.findRefreshToken(refreshToken)
    const user = found && this.#store.findUserBySub(found.family.sub)
    if (!found || !user) throw new CognitoError('NotAuthorizedException', 'Invalid Refresh Token.')
    if (user.disabled) throw userDisabled()
    if (found.family.revoked)
      throw new CognitoError('NotAuthorizedException', 'Refresh Token has been revoked')
    if (found.family.expiresAt <= Date.now())
      throw new CognitoError('NotAuthorizedException', 'Refresh Token has expired')
    if (found.replacedAt !== undefined && Date.now() > found.replacedAt + GRACE_MS)
      throw new CognitoError('RefreshTokenReuseException', 'Refresh Token has been used already')
    const { family } = found
    const changes = await this.#trigger(user, 'TokenGeneration_RefreshTokens', family.scopes.split(' '))
    const successor = this.#store.replaceRefreshToken(refreshToken, family.originJti)
    return this.#signTokens(user, { family, changes, refreshToken: successor })
  }

  /**
   * Ends the sign-in a refresh token belongs to; an unknown token is no error, as RFC 7009 requires.
   * @throws UnsupportedTokenTypeException for an access or ID token
   */
  revoke(token: string): void {
    if (token.split('.').length === 3)
      throw new CognitoError('UnsupportedTokenTypeException', 'Unsupported token type')
    const found = this.#store.findRefreshToken(token)
    if (found) this.#store.revokeFamily(found.family.originJti)
  }

  /**
   * Calls `act` with the current data of the user whom an access token identifies.
   * @throws NotAuthorizedException for a forged, expired, revoked or narrower token,
   * UserNotFoundException when the user was deleted
   */
  async withUser<T>(accessToken: string, act: (user: PoolUser) => Promise<T> | T): Promise<T> {
    const claims = await this.#verify(accessToken)
    if (claims['token_use'] !== 'access' || claims['client_id'] !== this.#clientId) throw invalidToken()
    if (!String(claims['scope']).split(' ').includes(ADMIN_SCOPE))
      throw new CognitoError('NotAuthorizedException', 'Access Token does not have required scopes')
    const user = this.#store.findUserBySub(String(claims['sub']))
    if (!user) throw new CognitoError('UserNotFoundException', 'User does not exist.')
    const family = this.#store.findFamily(String(claims['origin_jti']))
    if (!family || family.revoked)
      throw new CognitoError('NotAuthorizedException', 'Access Token has been revoked')
    return act(user)
  }

  async #verify(token: string): Promise<Record<string, unknown>> {
    try {
      const keySet = createLocalJWKSet(this.jwks)
      const { payload } = await jwtVerify(token, keySet, { issuer: this.#issuer, algorithms: ['RS256'] })
      return payload
    } catch (error) {
      if (error instanceof joseErrors.JWTExpired)
        throw new CognitoError('NotAuthorizedException', 'Access Token has expired', { cause: error })
      throw invalidToken(error)
    }
  }

  async #signTokens(
    user: PoolUser,
    { family, changes, refreshToken }: { family: TokenFamily; changes: TokenChanges; refreshToken: string },
  ): Promise<AuthenticationResult> {
    const common = {
      sub: user.sub,
      iss: this.#issuer,
      origin_jti: family.originJti,
      event_id: randomUUID(),
      auth_time: Math.floor(family.authTime / 1000),
    }
    const readable = selectReadableAttributes({ readAttributes: this.#readAttributes }, user.attributes)
    const { email_verified: isVerified, identities, ...profile } = readable
    const isFederated = user.status === 'EXTERNAL_PROVIDER'
    const { groups } = changes
    const [accessToken, idToken] = await Promise.all([
      this.#signToken({
        ...changes.claims,
        ...common,
        client_id: this.#clientId,
        token_use: 'access',
        scope: changes.scopes.join(' '),
        username: user.username,
        ...(isFederated && { version: 2 }),
        ...(groups.length > 0 && { 'cognito:groups': groups }),
      }),
      this.#signToken({
        ...common,
        aud: this.#clientId,
        token_use: 'id',
        'cognito:username': user.username,
        ...profile,
        email_verified: isVerified === 'true',
        ...(identities && { identities: readIdentities(identities) }),
        ...(groups.length > 0 && { 'cognito:groups': groups }),
      }),
    ])
    return {
      AccessToken: accessToken,
      IdToken: idToken,
      RefreshToken: refreshToken,
      ExpiresIn: TOKEN_SECONDS,
      TokenType: 'Bearer',
    }
  }

  async #signToken(claims: Record<string, unknown>): Promise<string> {
    const { current } = this.#keys
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({ ...claims, jti: randomUUID(), iat: now, exp: now + TOKEN_SECONDS })
      .setProtectedHeader({ alg: 'RS256', ...(current.kid && { kid: current.kid }) })
      .sign(await importJWK(current, 'RS256'))
  }
}

/** In tokens all values of an identity are text. */
const readIdentities = (text: string): object[] =>
  (JSON.parse(text) as { primary: boolean; dateCreated: number }[]).map((identity) => ({
    ...identity,
    primary: String(identity.primary),
    dateCreated: String(identity.dateCreated),
  }))

const invalidToken = (cause?: unknown): CognitoError =>
  new CognitoError('NotAuthorizedException', 'Invalid Access Token', { cause })

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('rsa', { modulusLength: 2048 })
  return { ...(await exportJWK(privateKey)), kid: randomUUID() }
}
