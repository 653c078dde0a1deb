import * as z from 'zod'
import type { TokenStatus } from '#shared/contracts/integrations.ts'
import { authType, environment } from '#shared/contracts/connection-kinds.ts'
import type { Challenge } from '../../mcp/connection.ts'
import { parseTokenStatus } from '#shared/token-status.ts'
import { queryAll } from '../../platform/dynamodb/query.ts'
import { readRow, deleteRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { ConnectionNotFound } from './errors.ts'
import { updateIf, updateOrThrow, updateRow } from '../../platform/dynamodb/update-row.ts'
import { markConnected } from './tools-row.ts'

const key = (sub: string, mcpId: string) => ({ PK: `U#${sub}`, SK: `I#${mcpId}` })

/** The server of a catalogue entry at the time of the connection. Only this URL is ever called. */
export const pinnedServer = z.object({
  url: z.string(),
  /** the entry's credential fields; a label that is a valid header name is also the name of the request header */
  fields: z.array(z.object({ name: z.string(), label: z.string() })),
})
export type PinnedServer = z.output<typeof pinnedServer>

/** A server's demand for a sign-in (`WWW-Authenticate`). */
const serverChallenge = z.object({
  /** the server's address */
  url: z.string(),
  resource_metadata_url: z.string().optional(),
  scope: z.string().optional(),
})
export type ServerChallenge = z.output<typeof serverChallenge>

/** Lenient: readers skip incomplete rows, and the cleanup deletes them. */
const row = z.object({
  SK: z.string().startsWith('I#'),
  mcp_name: z.string().min(1).optional().catch(undefined),
  connected_at: z.string().min(1).optional().catch(undefined),
  status: z.enum(['connected', 'disconnected']).catch('disconnected'),
  token_status: z.unknown().optional().transform(parseTokenStatus),
  created_at: z.string().catch(''),
  updated_at: z.string().catch(''),
  environment: environment.catch('production'),
  auth_type: authType.catch('unknown'),
  provider: z.string().catch(''),
  open_url: z.string().nullable().catch(null),
  parameters: z.record(z.string(), z.string()).catch({}),
  /** fingerprints of the tools that run without approval: those that only read, as the server listed them when it was connected */
  read_only_tools: z.array(z.string()).optional().catch(undefined),
  /** server of a catalogue entry that was connected without tokens; only this URL is ever called */
  remote: pinnedServer.optional().catch(undefined),
  /** the entry's publisher, such as `com.example` */
  namespace: z.string().optional().catch(undefined),
  /** what the server answered to a call that it refused without a sign-in, though it showed its tools without one */
  challenge: serverChallenge.optional().catch(undefined),
  /** how often and when the assistant last used it */
  usage_count: z.number().catch(0),
  last_used_at: z.string().nullable().catch(null),
})

/** The row of a connection, which stays after it is disconnected. */
export type ConnectionRow = Omit<z.output<typeof row>, 'SK'> & { mcp_id: string }

/** What is stored when a user connects an integration. */
export interface ConnectionFields {
  mcp_name: string
  token_status: TokenStatus
  environment: 'production' | 'sandbox'
  auth_type: z.output<typeof authType>
  provider: string
  open_url: string | null
  parameters: Record<string, string>
  read_only_tools?: readonly string[]
  remote?: PinnedServer | undefined
  namespace?: string | undefined
}

const fromItem = (item: Record<string, unknown> | undefined): ConnectionRow => {
  const { SK, ...fields } = row.parse(item)
  return { ...fields, mcp_id: SK.slice('I#'.length) }
}

/** The connections of users. Their credentials are rows of `credentialRepository`. */
export const connectionRepository = (table: Table) => {
  return {
    async find(sub: string, mcpId: string): Promise<ConnectionRow | undefined> {
      const item = await readRow(table, key(sub, mcpId))
      return item && fromItem(item)
    },

    /** @returns all connections of a user, including incomplete ones */
    async list(sub: string): Promise<ConnectionRow[]> {
      return (await queryAll(table, { partition: `U#${sub}`, prefix: 'I#' })).map(fromItem)
    },

    /** Writes the whole row at once, so that no reader sees a partial one. */
    async connect(
      sub: string,
      mcpId: string,
      { remote, namespace, read_only_tools, ...connection }: ConnectionFields,
      nowIso: string,
    ): Promise<ConnectionRow> {
      const fields = { ...connection, status: 'connected', connected_at: nowIso, updated_at: nowIso }
      const entryFields = Object.entries({ remote, namespace, read_only_tools })
      const present = [...Object.entries(fields), ...entryFields.filter(([, value]) => value !== undefined)]
      await markConnected(table, sub)
      const absent = entryFields.filter(([, value]) => value === undefined).map(([name]) => `#${name}`)
      const { attributes } = await updateRow(table, key(sub, mcpId), {
        update: [
          `SET ${present.map(([name]) => `#${name} = :${name}`).join(', ')}`,
          ', created_at = if_not_exists(created_at, :connected_at)',
          absent.length > 0 ? ` REMOVE ${absent.join(', ')}` : '',
        ].join(''),
        values: Object.fromEntries(present.map(([name, value]) => [`:${name}`, value])),
        returns: 'ALL_NEW',
      })
      return fromItem(attributes)
    },

    /** @throws ConnectionNotFound, also if the row has been deleted since */
    async setStatus(
      sub: string,
      mcpId: string,
      { status, tokenStatus }: { status: 'connected' | 'disconnected'; tokenStatus: TokenStatus },
      nowIso = new Date().toISOString(),
    ): Promise<ConnectionRow> {
      const { attributes } = await updateOrThrow(
        table,
        key(sub, mcpId),
        {
          update: 'SET #status = :status, token_status = :token, updated_at = :at',
          condition: 'attribute_exists(PK)',
          values: { ':status': status, ':token': tokenStatus, ':at': nowIso },
          returns: 'ALL_NEW',
        },
        (cause) => new ConnectionNotFound(mcpId, { cause }),
      )
      return fromItem(attributes)
    },

    /** Remembers that a server needs a sign-in, unless the row has been deleted. It stays when the user connects again. */
    async requireSignIn(
      sub: string,
      mcpId: string,
      { url, resourceMetadataUrl, scope }: Challenge & { url: string },
    ): Promise<void> {
      const challenge: ServerChallenge = {
        url,
        ...(resourceMetadataUrl && { resource_metadata_url: resourceMetadataUrl.href }),
        ...(scope !== undefined && { scope }),
      }
      await updateIf(table, key(sub, mcpId), {
        update: 'SET challenge = :challenge, token_status = :invalid, updated_at = :at',
        condition: 'attribute_exists(PK)',
        values: { ':challenge': challenge, ':invalid': 'invalid', ':at': new Date().toISOString() },
      })
    },

    /** Counts one use by the assistant, unless the row has been deleted. */
    async countUse(sub: string, mcpId: string, nowIso: string): Promise<void> {
      await updateIf(table, key(sub, mcpId), {
        update: 'ADD usage_count :one SET last_used_at = :at',
        condition: 'attribute_exists(PK)',
        values: { ':one': 1, ':at': nowIso },
      })
    },

    async remove(sub: string, mcpId: string): Promise<void> {
      await deleteRow(table, key(sub, mcpId))
    },
  }
}

export type ConnectionRepository = ReturnType<typeof connectionRepository>
