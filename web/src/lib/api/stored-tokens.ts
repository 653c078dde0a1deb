import { listStoredKeys, readStored, removeStored, writeStored } from '../browser/storage.ts'

/** The tokens of a sign-in. */
export interface Tokens {
  accessToken: string
  idToken: string
  refreshToken: string
}

/** The claims of a token. */
export type Claims = Record<string, unknown>

/** Tokens as this browser has them, with what they say. */
export interface StoredTokens extends Tokens {
  accessClaims: Claims
  idClaims: Claims
  /** how far the user pool's clock was ahead of this device's when they were issued, in milliseconds */
  clockDrift: number
}

/** Names of Amplify, which stored the tokens in earlier versions of this page: a sign-in outlives an update. */
const keyPrefix = 'CognitoIdentityServiceProvider.'
const toKey = (...names: string[]) => keyPrefix + names.join('.')
const listTokenKeys = () => listStoredKeys('local', keyPrefix)
const lastUser = 'LastAuthUser'

/** The session storage key of the user pool's message about an account that it refused, for the sign-in page. */
export const refusalKey = 'juno.account-refused'

/** Tokens that the storage did not accept because it is blocked or full: this tab has them until it is closed. */
let unstored: StoredTokens | undefined

/** Runs work that writes or removes the tokens while no other tab does. */
export function withTokenLock<Result>(work: () => Promise<Result>): Promise<Result> {
  return navigator.locks.request('auth-tokens', work)
}

/** Reads the claims of a token, whose signature is not checked. @throws Error for a text that is no token */
export function readClaims(token: string): Claims {
  const base64 = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return Object(JSON.parse(new TextDecoder().decode(bytes))) as Claims
}

/** A client of a user pool for which tokens are stored. */
const findClientId = () =>
  listTokenKeys()
    .find((key) => key.endsWith(lastUser))
    ?.slice(keyPrefix.length, -`.${lastUser}`.length)

/**
 * @param clientId of the user pool's client; without it, any client's tokens are read
 * @returns undefined if nobody is signed in, or a token cannot be read
 */
export function readTokens(clientId = findClientId()): StoredTokens | undefined {
  if (unstored) return unstored
  if (clientId === undefined) return undefined
  const user = readStored('local', toKey(clientId, lastUser)) ?? ''
  const read = (name: string) => readStored('local', toKey(clientId, user, name)) ?? ''
  const tokens = {
    accessToken: read('accessToken'),
    idToken: read('idToken'),
    refreshToken: read('refreshToken'),
  }
  try {
    return tokens.refreshToken === '' ? undefined : addClaims(tokens, Number(read('clockDrift')) || 0)
  } catch {
    return undefined
  }
}

/** @throws Error for tokens that cannot be read */
const addClaims = (tokens: Tokens, clockDrift?: number): StoredTokens => {
  const accessClaims = readClaims(tokens.accessToken)
  return {
    ...tokens,
    accessClaims,
    idClaims: readClaims(tokens.idToken),
    clockDrift: clockDrift ?? (Number(accessClaims['iat']) * 1000 - Date.now() || 0),
  }
}

/**
 * Stores tokens that were just issued, and removes those of other sign-ins. Other tabs notice it by the refresh token, so that is last.
 * @throws Error for tokens that cannot be read
 */
export function writeTokens(clientId: string, tokens: Tokens): StoredTokens {
  const issued = addClaims(tokens)
  const { username } = issued.accessClaims
  if (typeof username !== 'string') throw new Error('the access token names no user')
  const entries = {
    [toKey(clientId, lastUser)]: username,
    [toKey(clientId, username, 'idToken')]: tokens.idToken,
    [toKey(clientId, username, 'clockDrift')]: String(issued.clockDrift),
    [toKey(clientId, username, 'accessToken')]: tokens.accessToken,
    [toKey(clientId, username, 'refreshToken')]: tokens.refreshToken,
  }
  const isStored = Object.entries(entries).every(([key, value]) => writeStored('local', key, value))
  unstored = isStored ? undefined : issued
  for (const key of listTokenKeys()) if (!(key in entries)) removeStored('local', key)
  return issued
}

/** Removes all tokens of this browser. */
export function removeTokens(): void {
  unstored = undefined
  for (const key of listTokenKeys()) removeStored('local', key)
}

/** Whether a change of the storage is a change of the tokens. */
export const isTokenKey = (key: string | null): boolean =>
  key?.startsWith(keyPrefix) === true && key.endsWith('.refreshToken')

// what another tab has stored or removed is newer
addEventListener('storage', ({ key }) => {
  if (isTokenKey(key)) unstored = undefined
})

/** Milliseconds until the first of the tokens expires by the user pool's clock. */
export const getRemainingMs = ({ accessClaims, idClaims, clockDrift }: StoredTokens): number =>
  Math.min(Number(accessClaims['exp']) || 0, Number(idClaims['exp']) || 0) * 1000 - (Date.now() + clockDrift)
