import { randomBytes } from 'node:crypto'
import { minPasswordCharacters } from '#shared/limits.ts'
import type { Mailbox } from '../../mailbox.ts'
import { Attempts } from './attempts.ts'
import { Challenges } from './challenges.ts'
import { newHostedState, type HostedState } from './hosted-state.ts'
import { CognitoError } from './errors.ts'
import { PoolStore, type PoolUser } from './pool-store.ts'
import type { SrpExchange } from './srp.ts'
import { PoolTokens } from './tokens.ts'
import type { Triggers } from './triggers.ts'

/** A password check that was begun; `userId` is made up when the name belongs to nobody. */
interface PasswordChallenge {
  userId: string
  exchange: SrpExchange
}

export interface PoolOptions {
  dataDir: string
  /** Used when the pool is created; afterwards the pool id keeps its region. */
  region: string
  triggers: Triggers
  mailbox: Pick<Mailbox, 'add'>
  mailMode: 'link' | 'code'
  /** Where the site is: hosted pages lead back to its `/auth` and nowhere else. */
  siteOrigins?: readonly string[]
  minPasswordCharacters?: number
}

/** One user pool with one client: what every operation works on. */
export interface Pool {
  id: string
  /** The part of the id after the underscore, which goes into the password proofs. */
  name: string
  region: string
  clientId: string
  issuer: string
  fakeKey: Buffer
  store: PoolStore
  tokens: PoolTokens
  attempts: Attempts
  passwordChallenges: Challenges<PasswordChallenge>
  tokenChallenges: Challenges<{ sub: string }>
  triggers: Triggers
  mailbox: Pick<Mailbox, 'add'>
  /** Registered for the client, for the way back from sign-in and from sign-out. */
  returnUrls: readonly string[]
  hosted: HostedState
  minPasswordCharacters: number
}

/** Opens the pool in the data folder, or makes a new one there. */
export async function openPool({
  dataDir,
  region,
  triggers,
  mailbox,
  mailMode,
  siteOrigins = [],
  minPasswordCharacters: least = minPasswordCharacters,
}: PoolOptions): Promise<Pool> {
  const store = new PoolStore(dataDir)
  const id = store.setting('poolId', () => `${region}_${randomName(9)}`)
  const clientId = store.setting('clientId', () => randomName(26).toLowerCase())
  const fakeKey = Buffer.from(
    store.setting('fakeKey', () => randomBytes(32).toString('hex')),
    'hex',
  )
  const [poolRegion = region, name = ''] = id.split('_')
  const issuer = `https://cognito-idp.${poolRegion}.amazonaws.com/${id}`
  const { customMessage, ...otherTriggers } = triggers
  return {
    id,
    name,
    region: poolRegion,
    clientId,
    issuer,
    fakeKey,
    store,
    tokens: await PoolTokens.open(store, issuer, clientId),
    attempts: new Attempts(),
    passwordChallenges: new Challenges(),
    tokenChallenges: new Challenges(),
    returnUrls: siteOrigins.map((origin) => `${origin}/auth`),
    hosted: newHostedState(),
    triggers: { ...otherTriggers, ...(mailMode === 'link' && customMessage && { customMessage }) },
    mailbox,
    minPasswordCharacters: least,
  }
}

/** @throws ResourceNotFoundException when the call names another client */
export function requireClient(pool: Pool, clientId: string): void {
  if (clientId !== pool.clientId)
    throw new CognitoError('ResourceNotFoundException', `User pool client ${clientId} does not exist.`)
}

/** Under which tries of a name are counted: the same for each spelling, with or without a user. */
export const attemptsKey = (name: string, user: PoolUser | undefined): string =>
  user?.sub ?? name.trim().toLowerCase()

function randomName(length: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
}
