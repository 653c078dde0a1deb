import { openConnections, type Connections } from './connections.ts'
import { maskSecrets } from '#shared/mask-secrets.ts'
import { toPlainNumbers } from '../platform/exact-json.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { toStorableFields } from '../platform/dynamodb/storable.ts'
import * as z from 'zod'
import { parseEnv } from '../platform/env.ts'
import { openTable, type Table } from '../platform/dynamodb/table.ts'
import { allowedToolRepository } from '../integrations/store/allowed-tool-repository.ts'
import { fingerprintTool, type Tool } from './calls/tool.ts'
import { ledgerRepository } from './calls/ledger-repository.ts'
import {
  loadOfferedTools,
  type ConnectionRows,
  type Offer,
  type OfferOptions,
} from './offer/offered-tools.ts'
import { serverTools, type ServerTools } from './offer/server-tools.ts'

/** Maximum length of a call's arguments in the ledger. */
const maxLedgerCharacters = 20_000

/** An executed or denied call, for the ledger. */
interface ToolCallRecord {
  tool: Pick<Tool, 'name' | 'title' | 'integration' | 'isPrivate'>
  input: Record<string, unknown>
  success: boolean
  error?: string | undefined
  resultSize: number
  permission: 'reading' | 'approved' | 'always' | 'denied'
}

/** The tools that a reply may use. */
export interface UserTools extends Offer {
  /** whether the user always allows a tool that writes */
  isAllowed: (tool: Tool) => boolean
}

/** Gives replies access to users' connections. */
export interface ToolProvider {
  listConnected(sub: string): Promise<ConnectionRows>
  /** The tools of the connections. Never throws, because a reply works without tools. */
  loadTools(sub: string, connected: ConnectionRows, options: OfferOptions): Promise<UserTools>
  /** Always allows the tool, until its definition changes. */
  allow(sub: string, tool: Tool): Promise<void>
  /** Records a call in the user's ledger; a call that was made also counts as a use of its integration. Never throws. @param isSaved false in a temporary chat */
  record(sub: string, call: ToolCallRecord, isSaved: boolean): Promise<void>
}

const noTools: UserTools = { tools: [], missing: [], isAllowed: () => false }

/** @throws Error naming missing environment variables */
export function openToolProvider(): ToolProvider {
  const table = openTable(parseEnv({ TABLE_NAME: z.string() }).TABLE_NAME)
  const connections = openConnections(table)
  return toolProvider(connections, table, serverTools(connections.serverHttp, table))
}

/** Like `openToolProvider`, with connections, table and servers that are already open. */
export function toolProvider(connections: Connections, table: Table, servers: ServerTools): ToolProvider {
  const allowedTools = allowedToolRepository(table)
  const ledger = ledgerRepository(table)
  return {
    async listConnected(sub) {
      const [integrations, customTools] = await Promise.all([
        connections.integrations.list(sub),
        connections.customTools.list(sub),
      ])
      return { integrations, customTools }
    },

    async loadTools(sub, connected, options) {
      try {
        const found = await loadOfferedTools(
          connections,
          { alwaysAllowedTools: allowedTools, servers },
          sub,
          connected,
          options,
        )
        const { alwaysAllowed, ...offer } = found
        const ids = new Set(alwaysAllowed.map(({ id }) => id))
        return { ...offer, isAllowed: (tool) => ids.has(fingerprintTool(tool)) }
      } catch (error) {
        logger.error('the tools of a user could not be gathered', { error })
        return noTools
      }
    },

    async allow(sub, tool) {
      await allowedTools.allow(sub, {
        id: fingerprintTool(tool),
        ...toStoredNames(tool),
        allowed_at: new Date().toISOString(),
      })
    },

    async record(sub, { tool, input, success, error, resultSize, permission }, isSaved) {
      const at = new Date().toISOString()
      try {
        await Promise.all([
          ledger.add(sub, {
            id: `${at}-${crypto.randomUUID().slice(0, 8)}`,
            at,
            ...toStoredNames(tool),
            arguments: isSaved
              ? toStorableFields(
                  maskSecrets(tool.isPrivate ? {} : toPlainNumbers(input)) as Record<string, unknown>,
                  maxLedgerCharacters,
                )
              : null,
            success,
            error: error === undefined ? null : String(maskSecrets(error)),
            result_size: resultSize,
            allowed: permission,
          }),
          tool.integration && permission !== 'denied'
            ? connections.integrations.countUse(sub, tool.integration.mcpId, at)
            : undefined,
        ])
      } catch (cause) {
        logger.error('a call could not be written into the ledger', { error: cause })
      }
    },
  }
}

const toStoredNames = ({
  name,
  title = name,
  integration,
}: Pick<Tool, 'name' | 'title' | 'integration'>) => ({
  tool: name,
  title,
  integration: integration?.name ?? null,
  mcp_id: integration?.mcpId ?? null,
})
