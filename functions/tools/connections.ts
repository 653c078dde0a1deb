import * as z from 'zod'
import {
  customToolRepository,
  type CustomToolRepository,
} from '../integrations/store/custom-tool-repository.ts'
import {
  openUsableConnections,
  type UsableConnections,
} from '../integrations/credentials/open-connections.ts'
import { parseEnv } from '../platform/env.ts'
import { outboundHttp, type OutboundHttp, parseAllowList } from '../platform/net/outbound-http.ts'
import type { Table } from '../platform/dynamodb/table.ts'

/** Access to users' connections and custom tools. */
export interface Connections extends UsableConnections {
  customTools: Pick<CustomToolRepository, 'list'>
  /** for users' servers, with a longer timeout and larger responses */
  serverHttp: OutboundHttp
}

/** @throws Error naming missing environment variables */
export function openConnections(table: Table): Connections {
  const { OUTBOUND_ALLOW } = parseEnv({ OUTBOUND_ALLOW: z.string().optional() })
  const allow = parseAllowList(OUTBOUND_ALLOW)
  return {
    ...openUsableConnections(table),
    customTools: customToolRepository(table),
    serverHttp: outboundHttp({ allow, timeoutMs: 75_000, maxBytes: 8 * 1024 * 1024 }),
  }
}
