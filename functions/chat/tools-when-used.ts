import { customToolRepository } from '../integrations/custom-tool-repository.ts'
import { integrationRepository } from '../integrations/integration-repository.ts'
import type { Table } from '../platform/table.ts'
import type { ToolBox } from '../tools/tool-box.ts'

/** In the bundle the tools lie beside the function, as JavaScript: they are as large as all the rest. */
const toolsModule = new URL(
  import.meta.url.endsWith('.ts') ? '../tools/tool-box.ts' : './tool-box.mjs',
  import.meta.url,
)
type ToolsModule = typeof import('../tools/tool-box.ts')

/** The tools of users' connections, whose code is loaded with the first user who has connected something. */
export function toolsWhenUsed(table: Table): ToolBox {
  const integrations = integrationRepository(table)
  const custom = customToolRepository(table)
  let loading: Promise<ToolBox> | undefined
  const load = () => {
    loading ??= import(toolsModule.href).then((module) => (module as ToolsModule).openToolBox())
    return loading
  }
  return {
    async of(sub, wish) {
      const [rows, own] = await Promise.all([integrations.list(sub), custom.list(sub)])
      const connected = rows.some(({ status }) => status === 'connected')
      if (!connected && own.length === 0) return { tools: [], unreachable: [], isAllowed: () => false }
      return (await load()).of(sub, wish)
    },
    allow: async (sub, tool) => (await load()).allow(sub, tool),
    record: async (sub, call, kept) => (await load()).record(sub, call, kept),
  }
}
