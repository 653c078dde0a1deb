import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import * as z from 'zod'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import { assistantsContracts } from '#shared/contracts/assistants.ts'
import { fileDeletionContracts } from '#shared/contracts/files.ts'
import { sessionsContracts } from '#shared/contracts/sessions.ts'
import { importsContracts, type ImportedConversation } from '#shared/contracts/imports.ts'
import { projectsContracts } from '#shared/contracts/projects.ts'
import { sharesContracts } from '#shared/contracts/shares.ts'
import { waitingContracts } from '#shared/contracts/waiting.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { wait } from '../platform/clock.ts'
import {
  copiesPerDay,
  importRequestsPerDay,
  publishesPerDay,
  sharesPerDay,
  storageGbPerUser,
} from '../platform/limits.ts'
import { assistantRepository } from '../assistants/assistant-repository.ts'
import { copyAssistant } from '../assistants/copy-assistant.ts'
import { findPublisher } from '../assistants/find-publisher.ts'
import { TooManyPublishesToday } from '../assistants/errors.ts'
import { publishAssistant } from '../assistants/publish-assistant.ts'
import {
  findToWithdraw,
  listAllAssistants,
  listAssistantPrompts,
  listAssistants,
  showAssistant,
} from '../assistants/show-assistants.ts'
import { connectionRepository } from '../integrations/store/connection-repository.ts'
import { auditLog } from '../platform/audit-log.ts'
import type { User } from '../platform/auth/access-token.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { profileRepository } from '../settings/profile-repository.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { groupLimitsReader, may, requireRight } from '../platform/group-limits.ts'
import { deleteFile } from '../files/delete-files.ts'
import { fileRepository } from '../files/file-repository.ts'
import { listUses } from '../files/file-row.ts'
import { admitUpload } from '../files/new-file.ts'
import { readingStarter } from '../files/start-reading.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import { openObjectStore } from '../platform/s3/object-store.ts'
import { dailyBudget } from '../platform/http/rate-limit.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { projectRepository } from '../projects/project-repository.ts'
import { promptRepository } from '../projects/prompt-repository.ts'
import { changeProject, openProject } from '../projects/project-files.ts'
import { SharingOff, ShareNotFound, TooManySharesToday } from '../shares/errors.ts'
import { sharing } from '../shares/sharing.ts'
import { copyConversation } from './copy-conversation.ts'
import { deleteConversation, deleteConversations } from './delete-conversation.ts'
import { listWaiting } from './list-waiting.ts'
import { changeConversation } from './change-conversation.ts'
import { deleteProject } from './delete-project.ts'
import { deleteTurn } from './delete-turn.ts'
import { exportConversation } from './export-conversation.ts'
import { chooseLanguage } from './export-texts.ts'
import { importConversations } from '../imports/import-conversations.ts'
import { importRepository } from '../imports/import-repository.ts'
import { rateReply } from './rate-reply.ts'
import { readConversation } from './read-conversation.ts'
import { searchCorpus } from './search-corpus.ts'
import { listConversations } from './list-conversations.ts'
import { shareConversation } from './share-conversation.ts'
import { showVersion } from './show-version.ts'
import { TooManyCopiesToday, TooManyImportsToday } from './store/errors.ts'
import { openConversationStores } from './store/conversation-stores.ts'
import { listIndex } from './store/list-index.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  UPLOADS_BUCKET: z.string(),
  DOCUMENT_READER_FUNCTION: z.string(),
  USER_POOL_ID: z.string(),
  PRODUCT_VERSION: z.string(),
  SHARING: sharing,
  STORAGE_GB_PER_USER: z.coerce.number().positive().optional(),
})
const table = openTable(env.TABLE_NAME)
const files = fileRepository(table, env.STORAGE_GB_PER_USER)
const store = openObjectStore(env.UPLOADS_BUCKET)
const stores = openConversationStores(table, { files, store })
const conversationIndex = listIndex(table, env.PRODUCT_VERSION)
const groupLimits = groupLimitsReader(table, { storage_gb: env.STORAGE_GB_PER_USER ?? storageGbPerUser })
/** The stores with the user's own quota, for what adds text. */
const openStores = ({ storage_gb }: GroupLimits) =>
  openConversationStores(table, { files: fileRepository(table, storage_gb), store })
const openUserStores = async (user: Pick<User, 'groups'>) => openStores(await groupLimits.find(user))
const projects = projectRepository(table)
const prompts = promptRepository(table)
const assistants = assistantRepository(table, { store, quota: files })
const userPool = new CognitoIdentityProviderClient(clientTimeouts(5_000))
const profiles = profileRepository(table)
const settings = settingsRepository(table)
const connections = connectionRepository(table)
const log = auditLog(table)

/** Withdraws and publishes are the publisher's own actions, but others see their result: they are in the log. */
const findActor = async ({ sub, username }: User) => {
  const { email, name } = await findPublisher(userPool, env.USER_POOL_ID, username)
  return { actor: { id: sub, email }, name: name || email }
}

async function listConnected(sub: string) {
  const rows = await connections.list(sub)
  return rows
    .flatMap(({ mcp_id: id, mcp_name: name = id, status }) => (status === 'connected' ? { id, name } : []))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Whether a user has a schedule that is not paused. */
async function findIsScheduled(sub: string): Promise<boolean> {
  const { scheduleRepository } = await import('../schedules/schedule-repository.ts')
  const rows = await scheduleRepository(table).list(sub)
  return rows.some(({ paused_because, next_at }) => paused_because === undefined && next_at !== undefined)
}

/** Groups that the user pool keeps for its own purposes, such as one for each identity provider. */
/**
 * The groups that an assistant of a user can be for: their own, and for administrators all that were made here; none of those that the user
 * pool keeps for its own purposes.
 * @param asked a new one counts at once
 */
async function listAudienceGroups({ groups }: Pick<User, 'groups'>, asked: readonly string[] = []) {
  const others = groups.includes(adminGroup) ? await groupLimits.listNames(asked) : []
  const all = new Set([...groups, ...others])
  return [...all].filter((name) => !name.startsWith(`${env.USER_POOL_ID}_`)).toSorted()
}

/** Conversations of an export without projects that the user does not have (any more). */
async function keepOwnProjects(sub: string, conversations: readonly ImportedConversation[]) {
  const ids = new Set(conversations.flatMap(({ project_id: id }) => id ?? []))
  const found = await Promise.all([...ids].map((id) => projects.find(sub, id)))
  const known = new Set(found.flatMap((project) => project?.id ?? []))
  return conversations.map(({ project_id: id, ...others }) => ({
    ...others,
    ...(id !== undefined && known.has(id) && { project_id: id }),
  }))
}
/** Deleting many conversations responds after this time, and the page calls again. */
const workMs = 20_000
const startDeadline = () => {
  const endsAtMs = Date.now() + workMs
  return () => Date.now() >= endsAtMs
}

const shareBudget = dailyBudget('shares', sharesPerDay, TooManySharesToday)
const copyBudget = dailyBudget('copies', copiesPerDay, TooManyCopiesToday)
const publishBudget = dailyBudget('publishes', publishesPerDay, TooManyPublishesToday)
const importBudget = dailyBudget('imports', importRequestsPerDay, TooManyImportsToday)
const imports = importRepository(table)

export const handler = apiFunction(
  'sessions',
  {
    ...sessionsContracts,
    ...importsContracts,
    ...projectsContracts,
    ...assistantsContracts,
    ...sharesContracts,
    ...fileDeletionContracts,
    ...waitingContracts,
  },
  {
    'waiting.list': ({ user: { sub } }) => listWaiting({ ...stores, findIsScheduled }, sub, Date.now()),

    'sessions.list': ({ user: { sub }, query }) =>
      listConversations({ ...stores, index: conversationIndex }, sub, query, Date.now()),

    'sessions.read': ({ user, params, query }) =>
      readConversation(stores, { sub: user.sub, sessionId: params.sessionId, before: query.before }),

    'sessions.update': async ({ user, params, body }) => {
      if (typeof body.project_id === 'string') await projects.require(user.sub, body.project_id)
      const session = await changeConversation({ ...stores, projects }, user.sub, params.sessionId, body)
      return { success: true as const, session }
    },

    'sessions.showVersion': ({ user, params, body }) =>
      showVersion(stores, {
        sub: user.sub,
        sessionId: params.sessionId,
        messageId: body.message_id,
        version: body.version,
      }),

    'sessions.copy': async ({ user, params: { sessionId }, body: { message_id: messageId } }) => {
      const { sub } = user
      await requestGuards().limits.countIn(sub, copyBudget)
      const session = await copyConversation(await openUserStores(user), { sub, sessionId, messageId })
      return { success: true as const, session }
    },

    'sessions.deleteTurn': ({ user: { sub }, params }) => deleteTurn(stores, { sub, ...params }),

    'sessions.rate': async ({ user: { sub }, params, body }) => ({
      success: true as const,
      feedback: await rateReply(stores, { sub, ...params }, body.feedback),
    }),

    'sessions.export': async ({ user: { sub }, params: { sessionId }, query }) => {
      const account = query.language ? undefined : await settings.find(sub)
      const language = chooseLanguage(query.language, account?.language)
      return exportConversation(stores, { sub, sessionId }, { ...query, language })
    },

    'sessions.corpus': ({ user, query }) => searchCorpus(stores, user.sub, query),

    'sessions.delete': async ({ user, params }) => {
      await deleteConversation(stores, { sub: user.sub, sessionId: params.sessionId })
      return { success: true as const }
    },

    'imports.add': async ({ user, body: { import_id: importId, source, conversations } }) => {
      const { sub } = user
      await requestGuards().limits.countIn(sub, importBudget)
      const states = await importConversations(
        { stores: await openUserStores(user), imports, files },
        { sub, importId, source },
        await keepOwnProjects(sub, conversations),
      )
      return { success: true as const, conversations: states }
    },

    'imports.list': async ({ user }) => ({ imports: await imports.list(user.sub) }),

    'imports.undo': async ({ user: { sub }, params }) => {
      const isTimeUp = startDeadline()
      const sessionIds = await imports.listIds(sub, params.importId)
      return { success: true as const, ...(await deleteConversations(stores, { sub, sessionIds }, isTimeUp)) }
    },

    'projects.list': async ({ user }) => ({ projects: await projects.list(user.sub) }),

    'projects.create': async ({ user: { sub }, body }) => ({
      success: true as const,
      project: await openProject(files, sub, await projects.create(sub, body)),
    }),

    'projects.read': async ({ user: { sub }, params }) => ({
      success: true as const,
      project: await openProject(files, sub, await projects.require(sub, params.projectId)),
    }),

    'projects.update': async ({ user: { sub }, params, body }) => ({
      success: true as const,
      project: await changeProject({ projects, files }, sub, params.projectId, body),
    }),

    'projects.delete': async ({ user: { sub }, params, query }) => {
      const done = await deleteProject({ ...stores, projects, prompts, assistants }, sub, {
        projectId: params.projectId,
        keepsConversations: query.conversations === 'keep',
        isTimeUp: startDeadline(),
      })
      return { success: true as const, done }
    },

    'assistants.publish': async ({ user, params: { projectId }, body }) => {
      const { sub } = user
      const project = await projects.require(sub, projectId)
      const limits = await groupLimits.find(user)
      requireRight(limits, 'publish')
      // before the audit log: nobody fills it
      await requestGuards().limits.countIn(sub, publishBudget)
      const { actor, name } = await findActor(user)
      const asked = body.audience === 'everyone' ? [] : body.audience.groups
      const audienceGroups = await listAudienceGroups(user, asked)
      const profile = await profiles.find(sub)
      const { head, fileIds } = await log.record(
        {
          actor,
          action: 'assistant.published',
          target: body.name ?? project.name,
          details: {
            project: projectId,
            ...(body.audience === 'everyone' ? { everyone: true } : { groups: body.audience.groups }),
          },
        },
        async () =>
          publishAssistant(
            {
              assistants,
              projects,
              prompts,
              files: fileRepository(table, limits.storage_gb),
              store,
              startReading: readingStarter(env.DOCUMENT_READER_FUNCTION),
              listConnected,
              checkToken: () => requestGuards().revocation.check(user, false, Date.now()),
              audienceGroups,
              publisherName: profile?.display_name || name,
              sleep: wait,
            },
            user,
            projectId,
            body,
          ),
      )
      return {
        success: true as const,
        assistant: await showAssistant(assistants, head, user),
        file_ids: fileIds,
      }
    },

    'assistants.list': async ({ user }) => ({
      assistants: await listAssistants(assistants, user),
      publishing: {
        allowed: may(await groupLimits.find(user), 'publish'),
        groups: await listAudienceGroups(user),
      },
    }),

    'assistants.copy': async ({ user, params: { assistantId }, body: { id } }) => {
      const limits = await groupLimits.find(user)
      const deps = {
        assistants,
        projects,
        prompts,
        files: fileRepository(table, limits.storage_gb),
        store,
        async admit(fileCount: number) {
          await requestGuards().limits.countIn(user.sub, copyBudget)
          for (let n = 0; n < fileCount; n += 1) await admitUpload(user.sub, limits)
        },
      }
      return { success: true as const, project: await copyAssistant(deps, user, { assistantId, id }) }
    },

    'assistants.withdraw': async ({ user, params: { assistantId } }) => {
      const { head, by } = await findToWithdraw(assistants, user, assistantId)
      const { actor } = await findActor(user)
      await log.record(
        {
          actor,
          action: 'assistant.withdrawn',
          target: head.name || assistantId,
          details: { assistant: assistantId },
        },
        () => assistants.withdraw(head, by),
      )
      return { success: true as const }
    },

    'admin.assistants': async ({ user }) => ({ assistants: await listAllAssistants(assistants, user) }),

    'prompts.list': async ({ user, query: { assistant_id: id } }) => ({
      prompts:
        id === undefined ? await prompts.list(user.sub) : await listAssistantPrompts(assistants, user, id),
    }),

    'prompts.create': async ({ user: { sub }, body }) => {
      if (body.project_id !== undefined) await projects.require(sub, body.project_id)
      return { success: true as const, prompt: await prompts.add(sub, body) }
    },

    'prompts.update': async ({ user, params, body }) => ({
      success: true as const,
      prompt: await prompts.update(user.sub, params.promptId, body),
    }),

    'prompts.delete': async ({ user, params }) => {
      await prompts.remove(user.sub, params.promptId)
      return { success: true as const }
    },

    'shares.create': async ({ user, params: { sessionId }, body: { days, audience = 'link' } }) => {
      const { sub } = user
      if (env.SHARING === 'off') throw new SharingOff('switched off by the operator')
      const limits = await groupLimits.find(user)
      if (audience === 'link') requireRight(limits, 'share_links')
      await requestGuards().limits.countIn(sub, shareBudget)
      const share = await shareConversation(openStores(limits), { sub, sessionId, days, audience })
      return { success: true as const, share }
    },

    'shares.list': async ({ user }) => ({ shares: await stores.shares.list(user.sub, Date.now()) }),

    'shares.revoke': async ({ user, params }) => {
      if (!(await stores.shares.revoke(user.sub, params.shareId))) throw new ShareNotFound(params.shareId)
      return { success: true as const }
    },

    'files.delete': async ({ user: { sub }, params: { attachmentId: id } }) => {
      const file = await files.findAny(sub, id)
      const { session_ids: sessionIds, project_ids: projectIds } = listUses(file ?? {})
      // conversations of a project use its files without a reference
      const concerned = projectIds.length > 0 ? undefined : new Set(sessionIds)
      await stores.shares.removeDeleted(sub, { messages: [], fileIds: new Set([id]) }, concerned)
      await deleteFile({ files, store }, sub, id)
      return { success: true as const }
    },
  },
)
