import { adminErasureContracts } from '#shared/contracts/admin.ts'
import { adminScheduleContracts } from '#shared/contracts/admin-schedules.ts'
import { accountContracts } from '#shared/contracts/account.ts'
import { memoryContracts } from '#shared/contracts/memory.ts'
import { pushContracts } from '#shared/contracts/push.ts'
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import * as z from 'zod'
import type { Profile } from '#shared/contracts/account.ts'
import { wait } from '../platform/clock.ts'
import { exportsPerDay, imagesPerDay, tokensPerDay } from '../platform/limits.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { fileRepository } from '../files/file-repository.ts'
import { secretIntentLog } from '../integrations/vault/intent-log.ts'
import { credentialRepository } from '../integrations/store/credential-repository.ts'
import { removeEndedCustomTools } from '../integrations/remove-custom-tool.ts'
import { customToolRepository } from '../integrations/store/custom-tool-repository.ts'
import { deletableSecrets } from '../integrations/vault/secrets-manager.ts'
import { connectionRepository } from '../integrations/store/connection-repository.ts'
import { tableBackend } from '../integrations/vault/table.ts'
import { deletableVault, orderBackends, vaultKind } from '../integrations/vault/vault.ts'
import type { GroupRight } from '#shared/group-rights.ts'
import { ChangedElsewhere } from '../platform/errors.ts'
import { apiFunction, type ValidRequest } from '../platform/http/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import {
  findMissingRights,
  groupLimitsReader,
  requireRight,
  toModelLimits,
} from '../platform/group-limits.ts'
import { siteSettingsReader, withSiteLimits } from '../platform/site-settings.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { errorResponse } from '../platform/http/error-response.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import { keepAliveJson } from '../platform/http/keep-alive-json.ts'
import { s3ObjectStore } from '../platform/s3/s3-object-store.ts'
import { outboundHttp, parseAllowList } from '../platform/net/outbound-http.ts'
import { dailyBudget } from '../platform/http/rate-limit.ts'
import { sealer } from '../platform/secrets/seal.ts'
import { secretsManager, secretStore } from '../platform/secrets/secret-store.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { allowedToolRepository } from '../integrations/store/allowed-tool-repository.ts'
import { ledgerRepository } from '../tools/calls/ledger-repository.ts'
import { getMsToNextSecond, tokenRevoker } from '../platform/auth/token-revocation.ts'
import { openPageRepository } from '../push/open-page.ts'
import { pushHandlers } from '../push/push-handlers.ts'
import { subscriptionRepository } from '../push/subscription-repository.ts'
import { vapidKey } from '../push/vapid-key.ts'
import { assistantRepository } from '../assistants/assistant-repository.ts'
import { openConversationStores } from '../conversations/store/conversation-stores.ts'
import { sanitizeDisplayName } from '../platform/sanitize-line.ts'
import { projectRepository } from '../projects/project-repository.ts'
import { dueIndex, spreadMinutes } from '../schedules/due-index.ts'
import { scheduleRepository } from '../schedules/schedule-repository.ts'
import { promptRepository } from '../projects/prompt-repository.ts'
import { providerAccounts } from '../sign-in/provider-accounts.ts'
import { providerVariables } from '../sign-in/provider-variables.ts'
import { createMemoryId, memoryRepository } from '../settings/memory-repository.ts'
import { profileRepository } from '../settings/profile-repository.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { avatarRepository, parseAvatar } from './avatar-repository.ts'
import { erasureHandlers } from './erasure-handlers.ts'
import { adminScheduleHandlers } from './schedule-handlers.ts'
import { AvatarNotFound, TooManyExports } from './errors.ts'
import { exportAccount } from './export-account.ts'
import { chooseLanguage } from '../conversations/export-texts.ts'
import { deleteConversations } from '../conversations/delete-conversation.ts'
import { userDataRepository } from './user-data-repository.ts'
import { exportKey, storeExport } from './store-export.ts'
import { usageRepository } from './usage-repository.ts'
import { userPool } from './user-pool.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  UPLOADS_BUCKET: z.string(),
  USER_POOL_ID: z.string(),
  ASSISTANT_NAME: z.string(),
  VAULT: vaultKind,
  SEALING_KEY_SECRET: z.string(),
  OUTBOUND_ALLOW: z.string().optional(),
  /** how many days the table's backups reach back; undefined: there are none that the product knows of */
  RECOVERY_DAYS: z.coerce.number().int().positive().optional(),
  SCHEDULE_SPREAD_MINUTES: spreadMinutes,
  TOKENS_PER_DAY: z.coerce.number().int().positive().optional(),
  IMAGES_PER_DAY: z.coerce.number().int().nonnegative().optional(),
  ...providerVariables,
})
const table = openTable(env.TABLE_NAME)
const fileDeps = { files: fileRepository(table), store: s3ObjectStore(env.UPLOADS_BUCKET) }
const stores = openConversationStores(table, fileDeps)
const assistants = assistantRepository(table, { store: fileDeps.store, quota: fileDeps.files })
const profiles = profileRepository(table)
const settings = settingsRepository(table)
const memories = memoryRepository(table)
const avatars = avatarRepository(table)
const userData = userDataRepository(table)
const ledger = ledgerRepository(table)
const allowedTools = allowedToolRepository(table)
const usage = usageRepository(table)
const { scaleLimit } = requestGuards().limits
const deploymentLimits = {
  tokens_per_day: env.TOKENS_PER_DAY ?? scaleLimit(tokensPerDay),
  images_per_day: env.IMAGES_PER_DAY ?? scaleLimit(imagesPerDay),
}
const loadSiteSettings = siteSettingsReader(table)
const groupLimits = groupLimitsReader(table, async () =>
  withSiteLimits(deploymentLimits, await loadSiteSettings()),
)
/** @throws NotAllowedByGroup */
const requireUserRight = async (user: Caller['user'], right: GroupRight) =>
  requireRight(await groupLimits.find(user), right)
const revocation = tokenRevoker(table)
const cognitoClient = new CognitoIdentityProviderClient(clientTimeouts(5_000))
const pool = userPool(env.USER_POOL_ID, cognitoClient)
const keySealer = sealer(secretStore(), env.SEALING_KEY_SECRET)
const backends = {
  secrets: deletableSecrets(secretsManager()),
  table: tableBackend(table, keySealer),
}
const integrationDeps = {
  integrations: connectionRepository(table),
  credentials: credentialRepository(table),
  customTools: customToolRepository(table),
  vault: deletableVault(orderBackends(env.VAULT, backends)),
  intents: secretIntentLog(table),
  sealer: keySealer,
  http: outboundHttp({ allow: parseAllowList(env.OUTBOUND_ALLOW) }),
}
const subscriptions = subscriptionRepository(table)
const exportBudget = dailyBudget('exports', exportsPerDay, TooManyExports)

/** Long operations respond after this time, and the page calls them again, so that no gateway times out. */
const workMs = 20_000

type Caller = Pick<ValidRequest<'account.read'>, 'user' | 'log'>

/**
 * Loads the profile. A new one gets the name of the sign-up or of the Google account; if the user pool is unavailable, the next call
 * creates it.
 */
async function loadProfile({ user, log }: Caller): Promise<Profile> {
  const found = await profiles.find(user.sub)
  if (found) return found
  const newProfile: Profile = { display_name: '', avatar_id: null }
  try {
    newProfile.display_name = sanitizeDisplayName((await pool.findUser(user.username)).name)
    await profiles.create(user.sub, newProfile)
  } catch (error) {
    log.warn('failed to create the profile', { error })
  }
  return (await profiles.find(user.sub)) ?? newProfile
}

async function loadAccount(caller: Caller) {
  const [profile, storedSettings, { tools, ...limits }, site, browsers] = await Promise.all([
    loadProfile(caller),
    settings.find(caller.user.sub),
    groupLimits.find(caller.user),
    loadSiteSettings(),
    subscriptions.list(caller.user.sub),
  ])
  const isNotified = browsers.length > 0 || storedSettings.notifications?.mail === true
  const { groups } = caller.user
  const adminFields = groups.includes(adminGroup) && { is_admin: true as const, groups: [...groups] }
  const { max_schedules } = limits
  const allowed = {
    ...toModelLimits(limits, site),
    ...(tools && { tools }),
    ...findMissingRights(limits),
    ...(max_schedules !== undefined && { max_schedules }),
  }
  return {
    profile,
    settings: storedSettings,
    ...(isNotified && { is_notified: true as const }),
    ...adminFields,
    ...(site.defaultModel !== undefined && { default_model: site.defaultModel }),
    ...(Object.keys(allowed).length > 0 && { limits: allowed }),
  }
}

const contracts = {
  ...accountContracts,
  ...memoryContracts,
  ...pushContracts,
  ...adminErasureContracts,
  ...adminScheduleContracts,
}

export const handler = apiFunction('account', contracts, {
  'account.read': loadAccount,

  'account.save': async (call) => {
    const { sub } = call.user
    const { display_name: submittedName, display_name_seen, avatar_id } = call.body
    if (typeof avatar_id === 'string' && !(await avatars.save(sub, avatar_id)))
      throw new AvatarNotFound(`no picture ${avatar_id}`)
    const display_name = submittedName === undefined ? undefined : sanitizeDisplayName(submittedName)
    // a row that this change creates would lack the name from the sign-up
    await loadProfile(call)
    if (!(await profiles.update(sub, { display_name, avatar_id }, { display_name: display_name_seen })))
      throw new ChangedElsewhere('another name is stored')
    if (avatar_id !== undefined) await avatars.deleteOthers(sub, avatar_id)
    return loadAccount(call)
  },

  'account.settings': async (call) => {
    const { instructions_seen, ...change } = call.body
    if (change.memory) await requireUserRight(call.user, 'memory')
    if (change.keep_conversations === false) await requireUserRight(call.user, 'temporary_chats')
    if (!(await settings.update(call.user.sub, change, { instructions: instructions_seen })))
      throw new ChangedElsewhere('other instructions are stored')
    return loadAccount(call)
  },

  'account.avatar': async ({ user, params }) => {
    const picture = await avatars.find(user.sub, params.avatarId)
    if (!picture) throw new AvatarNotFound(`no picture ${params.avatarId}`)
    return { type: picture.type, data: Buffer.from(picture.bytes).toString('base64') }
  },

  'account.uploadAvatar': async ({ user, body }) => {
    const id = crypto.randomUUID()
    await avatars.put(user.sub, id, parseAvatar(body.data), Date.now())
    return { avatar_id: id }
  },

  'account.usage': async ({ user }) => usage.read(user.sub, await groupLimits.find(user), Date.now()),

  'account.storedData': ({ user }) => userData.count(user.sub),

  'account.export': async (call) => {
    const { sub } = call.user
    await requestGuards().limits.countIn(sub, exportBudget)
    const [account, poolUser] = await Promise.all([
      loadAccount(call),
      pool.findUser(call.user.username).catch((error: unknown) => {
        call.log.warn('exported without the user pool attributes', { error })
        return null
      }),
    ])
    const language = chooseLanguage(call.query.language, account.settings.language)
    const deps = {
      stores,
      avatars,
      files: fileDeps.files,
      objectStore: fileDeps.store,
      connectionRepositories: integrationDeps,
      ledger,
      allowedTools,
      usage,
      subscriptions,
      memories,
      projects: projectRepository(table),
      assistants,
      prompts: promptRepository(table),
      schedules: scheduleRepository(table),
      assistantName: env.ASSISTANT_NAME,
    }
    const zip = exportAccount(deps, { sub, poolUser, language, ...account })
    const storing = storeExport(
      { store: fileDeps.store, revocation },
      { sub, zip, remainingMs: call.remainingMs() },
    )
    return keepAliveJson(
      storing.catch((error: unknown) => {
        call.log.error('an export failed', { error })
        return JSON.parse(errorResponse(error, call.requestId).body) as unknown
      }),
    )
  },

  'account.forgetConversations': async ({ user: { sub } }) => {
    const isTimeUp = startDeadline()
    return deleteConversations(stores, { sub, sessionIds: await stores.conversations.listIds(sub) }, isTimeUp)
  },

  'account.signOutEverywhere': async ({ user, log }) => {
    const { sub } = user
    await pool.signOutEverywhere(user.username)
    const nowMs = Date.now()
    await revocation.revoke(sub, 'signed-out', nowMs)
    // what the revocation has ended is no longer used; what is left of it may stay for a while
    const removed = await Promise.allSettled([
      fileDeps.store.remove([exportKey(sub)]),
      stores.shares.removeEnded(sub),
      removeEndedCustomTools({ ...integrationDeps, allowedTools }, sub),
    ])
    for (const result of removed)
      if (result.status === 'rejected')
        log.warn('what a sign-out has ended could not be removed', { error: result.reason })
    await wait(getMsToNextSecond(nowMs))
    return { success: true as const }
  },

  'memory.list': async ({ user }) => ({ memories: await memories.list(user.sub) }),

  'memory.add': async ({ user, body: { id = createMemoryId(), text } }) => {
    await requireUserRight(user, 'memory')
    return { memory: await memories.add(user.sub, { id, text }) }
  },

  'memory.update': async ({ user, params, body }) => {
    await requireUserRight(user, 'memory')
    return { memory: await memories.update(user.sub, params.memoryId, body) }
  },

  'memory.delete': async ({ user, params }) => {
    await memories.remove(user.sub, params.memoryId)
    return { success: true as const }
  },

  'memory.clear': async ({ user }) => {
    await memories.clear(user.sub)
    return { success: true as const }
  },

  ...pushHandlers({
    key: vapidKey(table, keySealer),
    subscriptions,
    http: integrationDeps.http,
    openPages: openPageRepository(table),
  }),

  ...adminScheduleHandlers({
    table,
    index: dueIndex(table, { spreadMinutes: env.SCHEDULE_SPREAD_MINUTES }),
    userPoolId: env.USER_POOL_ID,
    client: cognitoClient,
    providers: providerAccounts(env.IDENTITY_PROVIDERS),
    groupLimits,
    now: Date.now,
  }),

  ...erasureHandlers({
    assistants,
    table,
    recoveryDays: env.RECOVERY_DAYS,
    dueIndex: dueIndex(table, { spreadMinutes: env.SCHEDULE_SPREAD_MINUTES }),
    userPoolId: env.USER_POOL_ID,
    cognitoClient,
    pool,
    userData,
    revocation,
    stores,
    objectStore: fileDeps.store,
    integrationDeps,
    sealer: keySealer,
    startDeadline,
  }),
})

function startDeadline(): () => boolean {
  const endsAtMs = Date.now() + workMs
  return () => Date.now() >= endsAtMs
}
