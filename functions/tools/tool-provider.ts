import { connectionRepository } from '../integrations/store/connection-repository.ts'
import { findToolsRow } from '../integrations/store/tools-row.ts'
import { customToolRepository } from '../integrations/store/custom-tool-repository.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { logger } from '../platform/telemetry/logger.ts'
import type { CallRecords } from './calls/records.ts'
import type { ConnectionRows, Offer, OfferOptions } from './offer/offered-tools.ts'
import type { openOffer } from './open-offer.ts'

/** Gives replies access to users' connections. `record` never throws. */
export interface ToolProvider extends CallRecords {
  /** The rows of a user's connections and custom tools; users without any cost one read. */
  listConnected(sub: string): Promise<ConnectionRows>
  /** The tools of the connections. Never throws, because a reply works without tools. */
  loadTools(sub: string, connected: ConnectionRows, options: OfferOptions): Promise<Offer>
  /** Whether a server of the user has changed its tools since this was asked last. */
  takeToolChanges(sub: string): Promise<boolean>
}

const noTools: Offer = { tools: [], missing: [], isAllowed: () => false }

const loadCode = () => import('./open-offer.ts')
const loadRecords = () => import('./calls/records.ts')

/** Opens the tools of users for the chat. The code of offers and records is loaded with the first call that needs it. */
export function toolProvider(table: Table): ToolProvider {
  const integrations = connectionRepository(table)
  const custom = customToolRepository(table)
  let opening: Promise<ReturnType<typeof openOffer>> | undefined
  return {
    async listConnected(sub) {
      const { has_connections, places = {} } = await findToolsRow(table, sub)
      const [rows, customTools] = await Promise.all([
        has_connections ? integrations.list(sub) : [],
        Object.keys(places).length > 0 ? custom.list(sub) : [],
      ])
      return { integrations: rows, customTools }
    },

    async loadTools(sub, connected, options) {
      const isConnected = connected.integrations.some(({ status }) => status === 'connected')
      if (!isConnected && connected.customTools.length === 0) return noTools
      try {
        opening ??= loadCode().then((code) => code.openOffer(table))
        // the next reply tries again
        opening.catch(() => (opening = undefined))
        const { load } = await opening
        return await load(sub, connected, options)
      } catch (error) {
        logger.error('the tools of a user could not be gathered', { error })
        return noTools
      }
    },

    async takeToolChanges(sub) {
      return (await opening)?.takeChanges(sub) ?? false
    },

    async allow(sub, tool) {
      const { callRecords } = await loadRecords()
      return callRecords(table).allow(sub, tool)
    },

    async record(sub, call, isSaved) {
      try {
        const { callRecords } = await loadRecords()
        await callRecords(table).record(sub, call, isSaved)
      } catch (error) {
        logger.error('a call could not be written into the ledger', { error })
      }
    },
  }
}
