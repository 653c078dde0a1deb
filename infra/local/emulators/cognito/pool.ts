import { randomBytes } from 'node:crypto'
import { foldEmail } from '#shared/user-pool.ts'
import { minPasswordCharacters } from '#shared/limits.ts'
import type { LocalCredentials } from '../../credentials.ts'
import type { Mailbox } from '../../mailbox.ts'
import type { Signer } from '../signature.ts'
import { Attempts } from './attempts.ts'
import type { AttributeSettings } from './attributes.ts'
import { ExpiringEntries } from './expiring-entries.ts'
import { googleProvider } from './google-provider.ts'
import { newHostedState, type HostedState } from './hosted-state.ts'
import { CognitoError } from './errors.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { PoolStore, type PoolUser } from './pool-store.ts'
import type { SrpExchange } from './srp.ts'
import { tokenTrigger } from './token-trigger.ts'
import { PoolTokens } from './tokens.ts'
import type { Triggers } from './triggers.ts'

/** Who sends the pool's mails: Cognito's own mailer, or SES of the account. */
type EmailSendingAccount = 'COGNITO_DEFAULT' | 'DEVELOPER'

/** A password check in progress; `userId` is made up for an unknown user name. */
interface PasswordChallenge {
  userId: string
  exchange: SrpExchange
}

export interface PoolOptions {
  dataDir: string
  /** Used when the pool is created; later the region comes from the pool id. */
  region: string
  /** who may call administrative operations */
  credentials: LocalCredentials
  triggers: Triggers
  mailbox: Pick<Mailbox, 'add'>
  /** `COGNITO_DEFAULT` does not allow custom messages. */
  emailSendingAccount?: EmailSendingAccount
  /** Whether a new e-mail address has to be verified first: `AttributesRequireVerificationBeforeUpdate`. */
  keepOriginalEmail?: boolean
  /** The site's origin: only its pages may call, and hosted pages redirect only to its `/auth`. */
  siteOrigins?: readonly string[]
  minPasswordCharacters?: number
  /** the schema beside the standard attributes, and the client's rights; undefined as in `AttributeSettings` */
  attributes?: Partial<AttributeSettings>
  /** sign-ins by the API that the client allows: `ExplicitAuthFlows` */
  authFlows?: readonly AuthFlow[]
}

export type AuthFlow = 'ALLOW_USER_PASSWORD_AUTH' | 'ALLOW_USER_SRP_AUTH'

/** One user pool with one client: what every operation works on. */
export interface Pool extends AttributeSettings {
  id: string
  /** The part of the id after the underscore, which goes into the password proofs. */
  name: string
  region: string
  clientId: string
  signer: Signer
  siteOrigins: readonly string[]
  issuer: string
  /** from which the salts and ids for unknown user names are derived */
  fakeKey: Buffer
  store: PoolStore
  tokens: PoolTokens
  attempts: Attempts
  passwordChallenges: ExpiringEntries<PasswordChallenge>
  tokenChallenges: ExpiringEntries<{ sub: string }>
  triggers: Triggers
  emailSendingAccount: EmailSendingAccount
  keepOriginalEmail: boolean
  mailbox: Pick<Mailbox, 'add'>
  /** Redirect URIs registered for the client, after sign-in and after sign-out. */
  returnUrls: readonly string[]
  hosted: HostedState
  minPasswordCharacters: number
  authFlows: readonly AuthFlow[]
  /** by name */
  identityProviders: Map<string, IdentityProvider>
}

/** Opens the pool in the data folder, or creates one there. */
export async function openPool({
  dataDir,
  region,
  credentials,
  triggers,
  mailbox,
  emailSendingAccount = 'COGNITO_DEFAULT',
  keepOriginalEmail = false,
  siteOrigins = [],
  minPasswordCharacters: least = minPasswordCharacters,
  attributes: { customAttributes = [], writeAttributes, readAttributes } = {},
  authFlows = ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_USER_SRP_AUTH'],
}: PoolOptions): Promise<Pool> {
  const store = new PoolStore(dataDir)
  const id = store.findOrCreateSetting('poolId', () => `${region}_${randomName(9)}`)
  const clientId = store.findOrCreateSetting('clientId', () => randomName(26).toLowerCase())
  const fakeKey = Buffer.from(
    store.findOrCreateSetting('fakeKey', () => randomBytes(32).toString('hex')),
    'hex',
  )
  const [poolRegion = region, name = ''] = id.split('_')
  const issuer = `https://cognito-idp.${poolRegion}.amazonaws.com/${id}`
  return {
    id,
    name,
    region: poolRegion,
    clientId,
    signer: { ...credentials, region: poolRegion, service: 'cognito-idp' },
    siteOrigins,
    issuer,
    fakeKey,
    store,
    tokens: await PoolTokens.open(store, {
      issuer,
      clientId,
      readAttributes,
      trigger: tokenTrigger({
        region: poolRegion,
        id,
        clientId,
        triggers,
        groupNames: ({ sub }) => store.groups.listForUser(sub).map(({ name: group }) => group),
      }),
    }),
    attempts: new Attempts(),
    passwordChallenges: new ExpiringEntries(),
    tokenChallenges: new ExpiringEntries(),
    returnUrls: siteOrigins.map((origin) => `${origin}/auth`),
    hosted: newHostedState(),
    triggers,
    emailSendingAccount,
    keepOriginalEmail,
    mailbox,
    minPasswordCharacters: least,
    customAttributes,
    writeAttributes,
    readAttributes,
    authFlows,
    identityProviders: new Map([[googleProvider.name, googleProvider]]),
  }
}

/** @throws ResourceNotFoundException when the call names another client */
export function requireClient(pool: Pool, clientId: string): void {
  if (clientId !== pool.clientId)
    throw new CognitoError('ResourceNotFoundException', `User pool client ${clientId} does not exist.`)
}

/** The key for counting a name's attempts: the same for each spelling, whether or not the user exists. */
export const attemptsKey = (name: string, user: PoolUser | undefined): string => user?.sub ?? foldEmail(name)

function randomName(length: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
}
