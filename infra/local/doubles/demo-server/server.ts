import { createRequestStateCodec, McpServer } from '@modelcontextprotocol/server'
import { randomBytes } from 'node:crypto'
import { registerBuildReport } from './build-report.ts'
import { registerBookTable } from './book-table.ts'
import { confirmPage, registerConfirmIdentity } from './confirm-identity.ts'
import { registerFreeTables } from './free-tables.ts'
import { serveMcp, type McpEndpoint } from './serve-mcp.ts'
import { openTaskStore, type TaskStore } from './task-store.ts'

/** What the tools of the demo server share. */
export interface DemoContext {
  /** `http://host:port` */
  readonly origin: string
  /** codes of the page that were confirmed there */
  readonly confirmedCodes: Set<string>
  /** signs what a client has to send back: a changed one is rejected */
  readonly stateCodec: ReturnType<typeof createRequestStateCodec>
  /** calls that take longer than a request */
  readonly tasks: TaskStore
  /** how long a report takes, also one that has begun */
  readonly readReportMs: () => number
}

/** What a client holds for the server stays valid for longer than an approval request. */
const stateSeconds = 40 * 86_400

/**
 * An MCP server of revision 2026-07-28 on this machine: its tools ask the user while they run, or take longer than a request.
 * @param port 0 takes any free one
 */
export async function startDemoServer(
  port = 0,
  { readReportMs = (): number => 20_000 } = {},
): Promise<McpEndpoint> {
  const stateCodec = createRequestStateCodec({ key: randomBytes(32), ttlSeconds: stateSeconds })
  const confirmedCodes = new Set<string>()
  const tasks = openTaskStore()
  return serveMcp(
    (origin) => {
      const context: DemoContext = { origin, confirmedCodes, stateCodec, tasks, readReportMs }
      const server = new McpServer(
        { name: 'Demo restaurant', version: '1' },
        { requestState: { verify: (state, context) => stateCodec.verify(state, context) } },
      )
      registerBookTable(server, context)
      registerConfirmIdentity(server, context)
      registerFreeTables(server)
      registerBuildReport(server, context)
      tasks.register(server)
      return server
    },
    { port, respondElsewhere: (method, url) => confirmPage(method, url, confirmedCodes) },
  )
}
