import { accountContracts } from '#shared/contracts/account.ts'
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import type { Profile } from '#shared/contracts/account.ts'
import { exportsPerDay } from '#shared/limits.ts'
import { conversationFiles } from '../files/conversation-files.ts'
import { deleteUserObjects } from '../files/delete-user-objects.ts'
import { secretIntentLog } from '../integrations/vault/intent-log.ts'
import { credentialRepository } from '../integrations/credential-repository.ts'
import { customToolRepository } from '../integrations/custom-tool-repository.ts'
import { deleteUserCredentials } from '../integrations/disconnect.ts'
import { deletableSecrets } from '../integrations/vault/secrets-manager.ts'
import { integrationRepository } from '../integrations/integration-repository.ts'
import { tableBackend } from '../integrations/vault/table.ts'
import { deletableVault, orderBackends, vaultKind } from '../integrations/vault/vault.ts'
import { cognitoAccount } from '../mfa/cognito-account.ts'
import { factorRepository } from '../mfa/factor-repository.ts'
import { requireProof, type Typed } from '../mfa/step-up.ts'
import { triesRepository } from '../mfa/attempts-repository.ts'
import { apiFunction, type ApiCall } from '../platform/http/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { errorResponse } from '../platform/http/error-response.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import { keepAliveJson } from '../platform/http/keep-alive-json.ts'
import { s3ObjectStore } from '../platform/s3/s3-object-store.ts'
import { outboundHttp, parseAllowList } from '../platform/net/outbound-http.ts'
import type { Budget } from '../platform/http/rate-limit.ts'
import { sealer } from '../platform/secrets/seal.ts'
import { secretsManager, secretStore } from '../platform/secrets/secret-store.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { allowedRepository } from '../integrations/allowed-repository.ts'
import { ledgerRepository } from '../tools/ledger-repository.ts'
import { tokenRevoker } from '../platform/auth/token-revocation.ts'
import { openStores } from '../conversations/stores.ts'
import { cleanName } from '../settings/display-name.ts'
import { profileRepository } from '../settings/profile-repository.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { avatarRepository } from './avatar-repository.ts'
import { eraseAccount } from './erase-account.ts'
import { erasureRepository } from './erasure-repository.ts'
import { NoSuchPicture, TooManyExports } from './errors.ts'
import { exportAccount } from './export-account.ts'
import { forgetConversations } from './delete-conversations.ts'
import { heldRepository } from './user-data-repository.ts'
import { pictureOf } from './picture.ts'
import { exportKey, storeExport } from './store-export.ts'
import { userPool } from './user-pool.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  UPLOADS_BUCKET: z.string(),
  USER_POOL_ID: z.string(),
  ASSISTANT_NAME: z.string(),
  VAULT: vaultKind,
  SEALING_KEY_SECRET: z.string(),
  OUTBOUND_ALLOW: z.string().optional(),
  /** how long the table's backups reach back */
  RECOVERY_DAYS: z.coerce.number().int().positive(),
})
const table = openTable(env.TABLE_NAME)
const attached = { files: conversationFiles(table), store: s3ObjectStore(env.UPLOADS_BUCKET) }
const stores = openStores(table, attached)
const profiles = profileRepository(table)
const settings = settingsRepository(table)
const avatars = avatarRepository(table)
const held = heldRepository(table)
const ledger = ledgerRepository(table)
const allowed = allowedRepository(table)
const erasures = erasureRepository(table)
const revocation = tokenRevoker(table)
const pools = new CognitoIdentityProviderClient(clientTimeouts(5_000))
const pool = userPool(env.USER_POOL_ID, pools)
const cognito = cognitoAccount(env.USER_POOL_ID, pools)
const factors = factorRepository(table)
const keySealer = sealer(secretStore(), env.SEALING_KEY_SECRET)
const checks = { factors, tries: triesRepository(table), sealer: keySealer }
const backends = {
  secrets: deletableSecrets(secretsManager()),
  table: tableBackend(table, keySealer),
}
const connected = {
  integrations: integrationRepository(table),
  credentials: credentialRepository(table),
  tools: customToolRepository(table),
  vault: deletableVault(orderBackends(env.VAULT, backends)),
  intents: secretIntentLog(table),
  sealer: keySealer,
  http: outboundHttp({ allow: parseAllowList(env.OUTBOUND_ALLOW) }),
}
/** what of a user lies outside their own rows, their files apart */
const externalCleanups = [
  async (sub: string) => {
    await stores.shares.removeAll(sub)
    return true
  },
  async (sub: string) => {
    await factors.remove(sub)
    await attached.store.remove([exportKey(sub)])
    return true
  },
  (sub: string, isOver: () => boolean) => deleteUserCredentials(connected, sub, isOver),
]
const deleteObjects = (sub: string, isOver: () => boolean) => deleteUserObjects(attached.store, sub, isOver)

const exportBudget: Budget = {
  name: 'exports',
  max: exportsPerDay,
  windowSeconds: 86_400,
  limitError: (retryAfterSeconds) => new TooManyExports('exports of the day used up', retryAfterSeconds),
}

/** Long work answers after this time and is asked for again, so that no gateway gives up on it. */
const patienceMs = 20_000
const dayMs = 86_400_000

type Caller = Pick<ApiCall<'account.read'>, 'user' | 'log'>

/**
 * The profile; a new user's begins with the name they signed up with, or that Google gave (DEC-117). Should the user pool not
 * answer, that is left for the next time.
 */
async function profileOf({ user, log }: Caller): Promise<Profile> {
  const found = await profiles.find(user.sub)
  if (found) return found
  const fresh: Profile = { display_name: '', avatar_id: null }
  try {
    fresh.display_name = cleanName((await pool.person(user.username)).name)
    await profiles.create(user.sub, fresh)
  } catch (error) {
    log.warn('the profile could not be made this time', { error })
  }
  return (await profiles.find(user.sub)) ?? fresh
}

/** As for switching it off: an account with a second factor wants a code, or a fresh sign-in (DEC-020, DEC-024). */
async function requireFactor({ user }: Caller, typed: Typed): Promise<void> {
  // a factor that was switched off at Cognito behind our back still counts
  const isOn = (await factors.find(user.sub)) ?? (await cognito.account(user.username)).enabled
  if (isOn) await requireProof(checks, user, typed)
}

async function readAccount(caller: Caller) {
  const [profile, chosen] = await Promise.all([profileOf(caller), settings.find(caller.user.sub)])
  return { profile, settings: chosen }
}

export const handler = apiFunction('account', accountContracts, {
  'account.read': readAccount,

  'account.save': async (call) => {
    const { sub } = call.user
    const { display_name: typed, avatar_id } = call.body
    if (typeof avatar_id === 'string' && !(await avatars.keep(sub, avatar_id)))
      throw new NoSuchPicture(`no picture ${avatar_id}`)
    const display_name = typed === undefined ? undefined : cleanName(typed)
    // a row that a change makes would be without the name of the sign-up
    await profileOf(call)
    await profiles.change(sub, { display_name, avatar_id })
    if (avatar_id !== undefined) await avatars.removeOthers(sub, avatar_id)
    return readAccount(call)
  },

  'account.settings': async (call) => {
    await settings.change(call.user.sub, call.body)
    return readAccount(call)
  },

  'account.avatar': async ({ user, params }) => {
    const picture = await avatars.find(user.sub, params.avatarId)
    if (!picture) throw new NoSuchPicture(`no picture ${params.avatarId}`)
    return { type: picture.type, data: Buffer.from(picture.bytes).toString('base64') }
  },

  'account.uploadAvatar': async ({ user, body }) => {
    const id = crypto.randomUUID()
    await avatars.put(user.sub, id, pictureOf(body.data), Date.now())
    return { avatar_id: id }
  },

  'account.held': ({ user }) => held.count(user.sub),

  'account.export': async (call) => {
    const { sub } = call.user
    await requestGuards().limits.countIn(sub, exportBudget)
    const [account, person] = await Promise.all([
      readAccount(call),
      pool.person(call.user.username).catch((error: unknown) => {
        call.log.warn('exported without what the user pool knows', { error })
        return null
      }),
    ])
    const means = {
      stores,
      avatars,
      ...attached,
      connected,
      ledger,
      allowed,
      assistantName: env.ASSISTANT_NAME,
    }
    const zip = exportAccount(means, { sub, pool: person, ...account })
    const storing = storeExport(
      { store: attached.store, revocation },
      { sub, zip, remainingMs: call.remainingMs() },
    )
    return keepAliveJson(
      storing.catch((error: unknown) => {
        call.log.error('an export failed', { error })
        return JSON.parse(errorResponse(error, call.requestId).body) as unknown
      }),
    )
  },

  'account.forgetConversations': ({ user }) => forgetConversations(stores, user.sub, patience()),

  'account.signOutEverywhere': async ({ user }) => {
    await pool.signOutEverywhere(user.username)
    const nowMs = Date.now()
    await revocation.revoke(user.sub, 'signed-out', nowMs)
    // tokens tell the second they were made in: whoever signs in after this answer is told apart
    await sleep(1_000 - (nowMs % 1_000))
    return { success: true as const }
  },

  'account.erase': async (call) => {
    const prove = () => requireFactor(call, call.body)
    const means = { held, erasures, revocation, pool, prove, externalCleanups, deleteObjects, sleep }
    const { done, held: found, asked_at } = await eraseAccount(means, call.user, patience())
    const backups_end_at = new Date(Date.now() + env.RECOVERY_DAYS * dayMs).toISOString()
    return { success: true as const, done, receipt: { held: found, asked_at, backups_end_at } }
  },
})

function patience(): () => boolean {
  const endsAtMs = Date.now() + patienceMs
  return () => Date.now() >= endsAtMs
}
