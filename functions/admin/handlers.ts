import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { SESv2Client } from '@aws-sdk/client-sesv2'
import * as z from 'zod'
import { adminContracts } from '#shared/contracts/admin.ts'
import { normalizeGroupName } from '#shared/group-names.ts'
import { adminSiteContracts, type SiteChange } from '#shared/contracts/site.ts'
import type { ListedModel } from '#shared/models.ts'
import { wait } from '../platform/clock.ts'
import { imagesPerDay, repliesAtOnce, storageGbPerUser, tokensPerDay } from '../platform/limits.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { assistantAudiences } from '../assistants/assistant-repository.ts'
import { auditLog, type Actor } from '../platform/audit-log.ts'
import type { User } from '../platform/auth/access-token.ts'
import { requireRecentSignIn } from '../platform/auth/recent-sign-in.ts'
import { tokenRevoker } from '../platform/auth/token-revocation.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { parseEnv } from '../platform/env.ts'
import { groupLimitsReader } from '../platform/group-limits.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { feedbackReader } from '../feedback/feedback-reader.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import { lastActivity } from '../platform/last-activity.ts'
import { loadSiteConfig } from '../platform/site-config.ts'
import { linkSuspension } from '../platform/auth/link-suspension.ts'
import { invitationRepository } from '../sign-in/invitations.ts'
import { providerAccounts } from '../sign-in/provider-accounts.ts'
import { providerVariables } from '../sign-in/provider-variables.ts'
import { siteSettingsReader, withSiteLimits } from '../platform/site-settings.ts'
import { administration } from './administration.ts'
import { auditEntries } from './audit-entries.ts'
import { readFeedback } from './feedback-summary.ts'
import { groupDirectory } from './group-directory.ts'
import { invitationMailer } from './invitation-mail.ts'
import { invitationService } from './invite-people.ts'
import { siteAdministration } from './site/site-administration.ts'
import { usageSummary } from './usage-summary.ts'
import { userDirectory } from './user-directory.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  USER_POOL_ID: z.string(),
  BRAND_NAME: z.string(),
  /** address that SES may send from; without one, links have to be passed on */
  MAIL_SENDER: z.string().optional(),
  SIGN_UP: z.string(),
  OPENAI_MODEL: z.string().optional(),
  MODELS: z
    .string()
    .transform((text) => JSON.parse(text) as ListedModel[])
    .optional(),
  REPLIES_AT_ONCE: z.coerce.number().int().positive().optional(),
  SITE_TOKENS_PER_DAY: z.coerce.number().int().positive().optional(),
  TOKENS_PER_DAY: z.coerce.number().int().positive().optional(),
  IMAGES_PER_DAY: z.coerce.number().int().nonnegative().optional(),
  STORAGE_GB_PER_USER: z.coerce.number().positive().optional(),
  ...providerVariables,
})
const { scaleLimit } = requestGuards().limits
const table = openTable(env.TABLE_NAME)
const client = new CognitoIdentityProviderClient(clientTimeouts(5_000))
const providers = providerAccounts(env.IDENTITY_PROVIDERS)
const groupLimits = groupLimitsReader(table, {})
const users = userDirectory(
  env.USER_POOL_ID,
  client,
  (attributes) => providers.findGroups(attributes, (named) => groupLimits.listNames(named)),
  lastActivity(table).find,
)
const groups = groupDirectory({ table, userPoolId: env.USER_POOL_ID, client, users })
const invitationRows = invitationRepository(table)
const usage = usageSummary(table)
const feedback = feedbackReader(table)
const entries = auditEntries(table)
const invitations = invitationService({
  invitationRows,
  users,
  groups,
  loadOrigin: async () => (await loadSiteConfig()).origin,
  sendMail:
    env.MAIL_SENDER === undefined
      ? undefined
      : invitationMailer(new SESv2Client(clientTimeouts(5_000)), {
          sender: env.MAIL_SENDER,
          brandName: env.BRAND_NAME,
        }),
})
const deploymentLimits = {
  tokens_per_day: env.TOKENS_PER_DAY ?? scaleLimit(tokensPerDay),
  images_per_day: env.IMAGES_PER_DAY ?? scaleLimit(imagesPerDay),
  storage_gb: env.STORAGE_GB_PER_USER ?? storageGbPerUser,
}
const loadSiteSettings = siteSettingsReader(table)
const log = auditLog(table)
const models = env.MODELS?.map(({ id }) => id)
const site = siteAdministration({
  table,
  log,
  listGroups: () => groups.listNames(),
  models: env.OPENAI_MODEL === undefined ? models : [...(models ?? []), env.OPENAI_MODEL],
  configured: {
    signUp: env.SIGN_UP,
    siteTokensPerDay: env.SITE_TOKENS_PER_DAY ?? null,
    tokensPerDay: deploymentLimits.tokens_per_day,
    defaultModel: env.OPENAI_MODEL ?? null,
    replies: 'on',
    schedules: 'on',
    webPages: 'on',
  },
  deployment: {
    brandName: env.BRAND_NAME,
    mailSender: env.MAIL_SENDER ?? null,
    identityProviders: env.IDENTITY_PROVIDERS.map(({ label }) => label).join(', ') || null,
    imagesPerDay: deploymentLimits.images_per_day,
    storageGbPerUser: deploymentLimits.storage_gb,
    repliesAtOnce: env.REPLIES_AT_ONCE ?? scaleLimit(repliesAtOnce),
  },
})
const admin = administration({
  users,
  groups,
  invitations,
  invitationRows,
  usage,
  log,
  revocation: tokenRevoker(table),
  assistants: assistantAudiences(table),
  links: linkSuspension(table),
  loadDeploymentLimits: async () => withSiteLimits(deploymentLimits, await loadSiteSettings()),
  sleep: wait,
})

const toActor = async ({ sub, username }: User): Promise<Actor> => ({
  id: sub,
  email: await users.findEmail(username),
})
const done = { success: true as const }
const thisMonth = () => new Date().toISOString().slice(0, 7)

/** An administrator who was added by a stolen session would remain one after that session has ended. @throws SignInTooOld */
const requireRecentSignInToAddAdmin = (user: User, groupsToJoin: readonly string[]): void => {
  if (groupsToJoin.includes(adminGroup)) requireRecentSignIn(user, Date.now())
}

/** For what changes the rules for others, such as those of a group: a stolen session must not. @throws SignInTooOld */
const toRecentlySignedInActor = async (user: User): Promise<Actor> => {
  requireRecentSignIn(user, Date.now())
  return toActor(user)
}

/** A stop is an emergency, and shown to everybody. */
const isStopOnly = (change: SiteChange) =>
  Object.entries(change).every(
    ([name, value]) => value === undefined || (['replies', 'schedules'].includes(name) && value === 'off'),
  )

export const handler = apiFunction(
  'admin',
  { ...adminContracts, ...adminSiteContracts },
  {
    'admin.site': () => site.read(),
    'admin.updateSite': async ({ user, body }) =>
      site.update(await (isStopOnly(body) ? toActor : toRecentlySignedInActor)(user), body, Date.now()),

    'admin.users': async ({ query }) => {
      const { users: found, next_cursor } = await users.list(query.query ?? '', query.cursor)
      return { users: found, next_cursor }
    },
    'admin.user': async ({ params }) => ({ user: await admin.readUser(params.userId) }),
    'admin.disableUser': async ({ user, params }) => ({
      user: await admin.disableUser(await toActor(user), params.userId),
    }),
    'admin.enableUser': async ({ user, params }) => ({
      user: await admin.enableUser(await toActor(user), params.userId),
    }),
    'admin.signOutUser': async ({ user, params }) => ({
      user: await admin.signOutUser(await toActor(user), params.userId),
    }),
    'admin.setGroups': async ({ user, params, body }) => {
      requireRecentSignInToAddAdmin(user, body.add)
      return { user: await admin.changeGroups(await toActor(user), params.userId, body) }
    },

    'admin.invitations': async () => ({ invitations: await invitations.list() }),
    'admin.invite': async ({ user, body }) => {
      requireRecentSignInToAddAdmin(user, body.groups)
      const {
        email,
        emails = [],
        people = emails.map((each) => ({ email: each, groups: [] })),
        ...terms
      } = body
      const actor = await toActor(user)
      if (email !== undefined) return { invitation: await admin.invite(actor, { email, ...terms }) }
      const requireAllowed = (names: readonly string[]) => requireRecentSignInToAddAdmin(user, names)
      return { results: await admin.inviteMany(actor, people, terms, requireAllowed) }
    },
    'admin.resendInvitation': async ({ user, params }) => ({
      invitation: await admin.resendInvitation(await toActor(user), params.invitationId),
    }),
    'admin.revokeInvitation': async ({ user, params }) => {
      await admin.revokeInvitation(await toActor(user), params.invitationId)
      return done
    },

    'admin.groups': async () => ({ groups: await groups.list() }),
    'admin.createGroup': async ({ user, body }) => ({
      group: await admin.createGroup(await toRecentlySignedInActor(user), body),
    }),
    'admin.updateGroup': async ({ user, params, body }) => ({
      group: await admin.updateGroup(
        await toRecentlySignedInActor(user),
        normalizeGroupName(params.groupName),
        body,
      ),
    }),
    'admin.deleteGroup': async ({ user, params }) => {
      await admin.deleteGroup(await toRecentlySignedInActor(user), normalizeGroupName(params.groupName))
      return done
    },

    'admin.usage': ({ query }) => usage.readMonth(query.month ?? thisMonth(), users, groups),
    'admin.feedback': ({ query }) => readFeedback(feedback, users, query.month ?? thisMonth()),
    'admin.audit': ({ query }) => entries.list(query.cursor, Date.now()),
  },
)
