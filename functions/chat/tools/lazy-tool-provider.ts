import { customToolRepository } from '../../integrations/store/custom-tool-repository.ts'
import { connectionRepository } from '../../integrations/store/connection-repository.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import type { ToolProvider, UserTools } from '../../tools/tool-provider.ts'

const noTools: UserTools = { tools: [], missing: [], isAllowed: () => false }

/** The tools of users' connections, whose code is loaded with the first user who has connected something. */
export function lazyToolProvider(table: Table): ToolProvider {
  const integrations = connectionRepository(table)
  const custom = customToolRepository(table)
  let loading: Promise<ToolProvider> | undefined
  const load = () => {
    loading ??= import('../../tools/tool-provider.ts').then(({ openToolProvider }) => openToolProvider())
    // the next call tries again
    loading.catch(() => (loading = undefined))
    return loading
  }
  const tryLoad = () =>
    load().catch((error: unknown) => {
      logger.error('the code of the tools could not be loaded', { error })
    })
  return {
    async listConnected(sub) {
      const [rows, customTools] = await Promise.all([integrations.list(sub), custom.list(sub)])
      return { integrations: rows, customTools }
    },
    async loadTools(sub, connected, options) {
      const isConnected = connected.integrations.some(({ status }) => status === 'connected')
      if (!isConnected && connected.customTools.length === 0) return noTools
      const tools = await tryLoad()
      return tools ? tools.loadTools(sub, connected, options) : noTools
    },
    allow: async (sub, tool) => (await load()).allow(sub, tool),
    record: async (sub, call, isSaved) => (await tryLoad())?.record(sub, call, isSaved),
  }
}
