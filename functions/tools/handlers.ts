import * as z from 'zod'
import { toolsContracts } from '#shared/contracts/tools.ts'
import { appsContracts } from '#shared/contracts/apps.ts'
import { callFromApp, openApp } from './app-server.ts'
import { openConnections } from '../integrations/credentials/open-connections.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { groupLimitsReader } from '../platform/group-limits.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { allowedToolRepository } from '../integrations/store/allowed-tool-repository.ts'
import { ledgerRepository } from './calls/ledger-repository.ts'
import { serverTools } from './offer/server-tools.ts'
import { summariseTools } from './offer/summarise-tools.ts'
import { toolProvider } from './tool-provider.ts'

const { TABLE_NAME } = parseEnv({ TABLE_NAME: z.string() })
const table = openTable(TABLE_NAME)
const connections = openConnections(table)
const servers = serverTools(connections.serverHttp, table)
const ledger = ledgerRepository(table)
const allowedTools = allowedToolRepository(table)
const provider = toolProvider(table)

const groupLimits = groupLimitsReader(table, {})

const success = true as const
const pageSize = 50

export const handler = apiFunction(
  'tools',
  { ...toolsContracts, ...appsContracts },
  {
    'tools.list': async ({ user }) => {
      const { tools: toolsAllowed } = await groupLimits.find(user)
      return { integrations: await summariseTools(connections, servers, user.sub, toolsAllowed) }
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

    'apps.open': async ({ user, body }) => {
      const { tools: toolsAllowed } = await groupLimits.find(user)
      return openApp({ connections, servers, toolsAllowed }, user.sub, body)
    },

    'apps.call': async (call) => {
      const { tools: toolsAllowed } = await groupLimits.find(call.user)
      return callFromApp(
        { connections, servers, toolProvider: provider, alwaysAllowedTools: allowedTools, toolsAllowed },
        call,
        call.body,
      )
    },
  },
)
