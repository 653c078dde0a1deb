import * as z from 'zod'
import { toolsContracts } from '#shared/contracts/tools.ts'
import { schedulesContracts } from '#shared/contracts/schedules.ts'
import { appsContracts } from '#shared/contracts/apps.ts'
import { driveContracts } from '#shared/contracts/drive.ts'
import type { ListedModel } from '#shared/models.ts'
import { callFromApp, openApp } from './app-server.ts'
import { assistantReader } from '../assistants/assistant-reader.ts'
import { conversationRepository } from '../conversations/store/conversation-repository.ts'
import { runRepository } from '../conversations/store/run-repository.ts'
import { baseFileRepository } from '../files/base-file-repository.ts'
import { incomingKey } from '../files/delete-files.ts'
import { toAttachment } from '../files/file-links.ts'
import { admitUpload, newFile } from '../files/new-file.ts'
import { openConnections } from '../integrations/credentials/open-connections.ts'
import type { User } from '../platform/auth/access-token.ts'
import { loadMark } from '../platform/auth/token-revocation.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { groupLimitsReader } from '../platform/group-limits.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import { appCallsPerDay, storageGbPerUser, uploadsPerDay } from '../platform/limits.ts'
import { putObject } from '../platform/s3/object-writer.ts'
import { readScheduleStop } from '../platform/schedule-stop.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { allowedToolRepository } from '../integrations/store/allowed-tool-repository.ts'
import { projectRepository } from '../projects/project-repository.ts'
import { dueIndex, spreadMinutes } from '../schedules/due-index.ts'
import { manageSchedules, type Owner } from '../schedules/manage-schedules.ts'
import { runQueue } from '../schedules/run-queue.ts'
import { scheduleRepository } from '../schedules/schedule-repository.ts'
import { ledgerRepository } from './calls/ledger-repository.ts'
import { fingerprintTool } from './calls/tool.ts'
import { downloadDriveFile, driveOpener, listDriveFiles } from './drive.ts'
import { summariseTools } from './offer/summarise-tools.ts'
import { remoteServers } from './servers/remote-servers.ts'
import { toolProvider } from './tool-provider.ts'

const env = parseEnv({
  SCHEDULE_QUEUE_URL: z.string(),
  SCHEDULE_SPREAD_MINUTES: spreadMinutes,
  TABLE_NAME: z.string(),
  UPLOADS_BUCKET: z.string(),
  STORAGE_GB_PER_USER: z.coerce.number().positive().optional(),
  OPENAI_MODEL: z.string().optional(),
  MODELS: z
    .string()
    .transform((text) => JSON.parse(text) as ListedModel[])
    .optional(),
})
const table = openTable(env.TABLE_NAME)
const connections = openConnections(table)
const servers = remoteServers(connections.serverHttp, table)
const ledger = ledgerRepository(table)
const allowedTools = allowedToolRepository(table)
const provider = toolProvider(table)
const openDrive = driveOpener(connections)

const groupLimits = groupLimitsReader(table, {
  uploads_per_day: requestGuards().limits.scaleLimit(uploadsPerDay),
  storage_gb: env.STORAGE_GB_PER_USER ?? storageGbPerUser,
})

const appCallBudget = { name: 'app-calls', max: appCallsPerDay, windowSeconds: 86_400 }

const conversations = conversationRepository(table)
const projects = projectRepository(table)
const assistants = assistantReader(table)
const runs = runRepository(table)
const schedules = manageSchedules({
  schedules: scheduleRepository(table),
  index: dueIndex(table, { spreadMinutes: env.SCHEDULE_SPREAD_MINUTES }),
  projects,
  assistants,
  async listTools({ sub, limits }) {
    const offer = await provider.loadTools(sub, await provider.listConnected(sub), {
      toolsAllowed: limits.tools,
    })
    return offer.tools.map((tool) => ({ name: tool.name, fingerprint: fingerprintTool(tool) }))
  },
  models: env.OPENAI_MODEL === undefined ? env.MODELS : [{ id: env.OPENAI_MODEL }, ...(env.MODELS ?? [])],
  findRun: (sub, sessionId) => runs.findBranches(sub, sessionId),
  ...runQueue(env.SCHEDULE_QUEUE_URL),
  isStopped: async () => (await readScheduleStop(table)).isStopped,
  loadMark: (sub) => loadMark(table, sub),
  now: Date.now,
})
const toOwner = async ({ sub, groups, signedInAt }: User): Promise<Owner> => ({
  sub,
  groups,
  signedInAt,
  limits: await groupLimits.find({ groups }),
})

const success = true as const
const pageSize = 50

export const handler = apiFunction(
  'tools',
  { ...toolsContracts, ...schedulesContracts, ...appsContracts, ...driveContracts },
  {
    'tools.list': async ({ user }) => {
      const { tools: toolsAllowed } = await groupLimits.find(user)
      return { integrations: await summariseTools({ connections, servers }, user.sub, toolsAllowed) }
    },

    'tools.ledger': ({ user, query: { before } }) => ledger.page(user.sub, { before, limit: pageSize }),

    'tools.clearLedger': async ({ user }) => {
      await ledger.clear(user.sub)
      return { success }
    },

    'tools.allowed': async ({ user }) => ({
      tools: (await allowedTools.list(user.sub)).toSorted((a, b) => b.allowed_at.localeCompare(a.allowed_at)),
    }),

    'tools.revoke': async ({ user, params }) => {
      await allowedTools.revoke(user.sub, params.toolId)
      return { success }
    },

    'schedules.list': async ({ user }) => ({ schedules: await schedules.list(await toOwner(user)) }),

    'schedules.create': async ({ user, body }) => ({
      success,
      schedule: await schedules.create(await toOwner(user), body),
    }),

    'schedules.read': async ({ user, params }) => ({
      success,
      schedule: await schedules.read(await toOwner(user), params.scheduleId),
    }),

    'schedules.update': async ({ user, params, body }) => ({
      success,
      schedule: await schedules.change(await toOwner(user), params.scheduleId, body),
    }),

    'schedules.delete': async ({ user, params, query }) => {
      await schedules.remove(user.sub, params.scheduleId, query.version)
      return { success }
    },

    'schedules.run': async ({ user, params }) => ({
      success,
      schedule: await schedules.run(await toOwner(user), params.scheduleId),
    }),

    'apps.open': async ({ user, body }) => {
      const { tools: toolsAllowed } = await groupLimits.find(user)
      return openApp({ connections, servers, toolsAllowed }, user.sub, body)
    },

    'apps.call': async (call) => {
      await requestGuards().limits.countIn(call.user.sub, appCallBudget)
      const { tools: toolsAllowed } = await groupLimits.find(call.user)
      return callFromApp(
        {
          connections,
          servers,
          toolProvider: provider,
          alwaysAllowedTools: allowedTools,
          toolsAllowed,
          conversations,
          projects,
          assistants,
        },
        call,
        call.body,
      )
    },

    'drive.list': async ({ user, query: { query } }) => {
      const { tools: toolsAllowed } = await groupLimits.find(user)
      return listDriveFiles(await openDrive(user.sub, toolsAllowed), query)
    },

    'drive.upload': async ({ user, body: request }) => {
      const { sub } = user
      const limits = await groupLimits.find(user)
      const api = await openDrive(sub, limits.tools)
      await admitUpload(sub, limits)
      const { body, ...downloaded } = await downloadDriveFile(api, request.file_id)
      const file = newFile({ ...downloaded, size: body.length })
      await baseFileRepository(table, limits.storage_gb).put(sub, file)
      await putObject(
        { bucket: env.UPLOADS_BUCKET },
        { key: incomingKey(sub, file.id), body, type: file.type },
      )
      return { success, attachment: toAttachment(sub, file) }
    },
  },
)
