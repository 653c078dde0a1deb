import { PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { queryAll } from '../../platform/dynamodb/query.ts'
import { deleteRow, readRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { updateIf } from '../../platform/dynamodb/update-row.ts'
import { refreshIndex } from './refresh-index.ts'

const key = (sub: string, mcpId: string) => ({ PK: `U#${sub}`, SK: `C#${mcpId}` })

/** The discovered authorization server of a remote MCP server, stored with a pending flow and then with its credential. */
export const remoteServer = z.object({
  /** URL of the MCP server */
  url: z.string(),
  issuer: z.string(),
  /** whether it sends `iss` in authorization responses (RFC 9207) */
  names_itself: z.boolean(),
  token_url: z.string(),
  revoke_url: z.string().optional(),
  /** resource indicator (RFC 8707), as the server writes it */
  resource: z.string().optional(),
  client_auth: z.enum(['post', 'basic']),
  /** whether the user entered the client; any other is resolved again for each sign-in (`getOrRegisterClient`) */
  own_client: z.boolean().optional(),
})
export type RemoteServer = z.output<typeof remoteServer>

const row = z.object({
  /** changes with every update (optimistic lock) */
  version: z.string(),
  /** of the sign-in or of the key: stays while its tokens are refreshed. Absent if it was stored by an earlier release. */
  grant_id: z.string().optional(),

  status: z.enum(['active', 'expired', 'invalid']).catch('active'),
  /** name of the secret with the user's credentials */
  secret_name: z.string().optional(),
  /** masked values by field name */
  masks: z.record(z.string(), z.string()).catch({}),
  /** the token set, encrypted for this user, integration and version */
  sealed: z.string().optional(),
  client_id: z.string().optional(),
  /** the authorization server that issued the tokens, for a remote MCP server */
  server: remoteServer.optional(),
  /** optional parameters that its sign-in page has refused: the next sign-in leaves them out */
  refused: z.array(z.string()).optional().catch(undefined),
  /** whether `sealed` contains a refresh token */
  refreshable: z.boolean().catch(false),
  /** the scopes that were granted, with blanks between them, for a remote MCP server */
  scope: z.string().optional(),
  /** further scopes that a call was refused for lack of: the next sign-in asks for them too */
  step_up_scope: z.string().optional(),
  /** ISO 8601; expiry of the access token, if it expires */
  access_expires_at: z.string().optional(),
  /** ISO 8601; when the user has to sign in again, if known */
  expires_at: z.string().optional(),
  /** Unix ms; when the authorization server may be asked for new tokens again, which it was too busy to give */
  retry_at: z.number().optional().catch(undefined),
  updated_at: z.string().catch(''),
})
export type CredentialRow = z.output<typeof row>

/** The fields that every refresh writes together. */
export interface StoredTokens {
  version: string
  sealed: string
  refreshable: boolean
  access_expires_at: string | undefined
  expires_at: string | undefined
  /** if the server takes requests in another form than before */
  server?: RemoteServer
}

export interface Lease {
  owner: string
  /** version of the tokens that are being refreshed */
  version: string
}

/** The credentials of connections: where the vault has them, their sealed tokens, and the leases of their refresh. */
export const credentialRepository = (table: Table) => {
  const { client, name: TableName } = table
  const index = refreshIndex(table)
  const updateCredential = (
    sub: string,
    mcpId: string,
    update: string,
    condition: string,
    values: Record<string, unknown>,
  ): Promise<boolean> => updateIf(table, key(sub, mcpId), { update, condition, values })

  async function find(sub: string, mcpId: string): Promise<CredentialRow | undefined> {
    const item = await readRow(table, key(sub, mcpId))
    return item && row.parse(item)
  }

  return {
    find,

    /** @returns all credentials of a user by integration id */
    async list(sub: string): Promise<Map<string, CredentialRow>> {
      const items = await queryAll(table, { partition: `U#${sub}`, prefix: 'C#' })
      return new Map(items.map((item) => [String(item['SK']).slice('C#'.length), row.parse(item)]))
    },

    /**
     * Replaces the credential of an integration.
     * @returns what it replaced: more than one if another request has replaced it at the same time
     * @throws Error if the row was not written; a write whose response was lost counts as written
     */
    async replace(sub: string, mcpId: string, credential: CredentialRow): Promise<CredentialRow[]> {
      // read first: when the SDK repeats a write whose response was lost, ALL_OLD returns the SDK's own first write
      const current = await find(sub, mcpId)
      // first: a row without a connection is deleted by the daily refresh, a connection without a row is not found by it
      if (credential.refreshable) await index.put({ sub, mcpId, refreshedAt: credential.updated_at })
      const Item = { ...key(sub, mcpId), ...credential, grant_id: credential.version }
      const put = new PutCommand({ TableName, Item, ReturnValues: 'ALL_OLD' })
      const written = await client.send(put).catch(async (error: unknown) => {
        const now = await find(sub, mcpId)
        if (now?.version !== credential.version) throw error
        return undefined
      })
      const replaced = written?.Attributes && row.parse(written.Attributes)
      const before = [current, replaced].flatMap((one) => one ?? [])
      const byVersion = new Map(before.map((one) => [one.version, one]))
      byVersion.delete(credential.version)
      return [...byVersion.values()]
    },

    /**
     * Lets one refresher run at a time.
     * @returns false while another one holds the lease, while the authorization server asks to wait, or if the tokens have changed
     */
    takeLease: (
      sub: string,
      mcpId: string,
      lease: Lease,
      { nowMs, untilMs }: { nowMs: number; untilMs: number },
    ) =>
      updateCredential(
        sub,
        mcpId,
        'SET lease_owner = :owner, lease_until = :until',
        // the owner may repeat it: the SDK repeats a write whose response was lost
        '#version = :version AND (attribute_not_exists(lease_until) OR lease_until <= :now OR lease_owner = :owner) AND (attribute_not_exists(retry_at) OR retry_at <= :now)',
        { ':owner': lease.owner, ':version': lease.version, ':now': nowMs, ':until': untilMs },
      ),

    /**
     * Stores refreshed tokens and ends the lease in one write. Tokens are stored even if the lease has expired, because the old
     * refresh token may be used up.
     * @returns false if the tokens have been replaced or deleted
     */
    storeRefreshedTokens: async (
      sub: string,
      mcpId: string,
      version: string,
      tokens: StoredTokens,
      at: string,
    ): Promise<boolean> => {
      const fields = ['access_expires_at', 'expires_at', 'server'] as const
      const present = fields.filter((field) => tokens[field] !== undefined)
      const absent = fields.filter((field) => field !== 'server' && tokens[field] === undefined)
      const isStored = await updateCredential(
        sub,
        mcpId,
        `SET #version = :next, sealed = :sealed, refreshable = :refreshable, #status = :active, updated_at = :at${present.map((field) => `, ${field} = :${field}`).join('')} REMOVE lease_owner, lease_until, retry_at${absent.map((field) => `, ${field}`).join('')}`,
        '#version = :version',
        {
          ':version': version,
          ':next': tokens.version,
          ':sealed': tokens.sealed,
          ':refreshable': tokens.refreshable,
          ':active': 'active',
          ':at': at,
          ...Object.fromEntries(present.map((field) => [`:${field}`, tokens[field]])),
        },
      )
      if (isStored && tokens.refreshable) await index.put({ sub, mcpId, refreshedAt: at })
      return isStored
    },

    /**
     * Remembers the scopes that the next sign-in has to ask for, besides those that are granted.
     * @returns false if there is no credential any more
     */
    requestScopes: (sub: string, mcpId: string, scope: string) =>
      updateCredential(sub, mcpId, 'SET step_up_scope = :scope', 'attribute_exists(PK)', { ':scope': scope }),

    /**
     * Releases the lease without new tokens.
     * @param outcome `status` if the grant was revoked, `retry_at` if the authorization server asks to wait
     * @returns false if the caller no longer holds the lease
     */
    release(
      sub: string,
      mcpId: string,
      lease: Lease,
      outcome: Partial<Pick<CredentialRow, 'status' | 'retry_at'>> = {},
    ): Promise<boolean> {
      const fields = (['status', 'retry_at'] as const).filter((field) => outcome[field] !== undefined)
      const set = fields.map((field) => `#${field} = :${field}`).join(', ')
      return updateCredential(
        sub,
        mcpId,
        `${set && `SET ${set} `}REMOVE lease_owner, lease_until`,
        '#version = :version AND lease_owner = :owner',
        {
          ':owner': lease.owner,
          ':version': lease.version,
          ...Object.fromEntries(fields.map((field) => [`:${field}`, outcome[field]])),
        },
      )
    },

    /**
     * Deletes a credential that was read, and its entry for the daily refresh. One that was replaced or refreshed since stays.
     * @returns whether it is gone
     */
    async remove(sub: string, mcpId: string, { version }: Pick<CredentialRow, 'version'>): Promise<boolean> {
      await deleteRow(table, key(sub, mcpId), {
        ConditionExpression: 'version = :seen',
        ExpressionAttributeValues: { ':seen': version },
      })
      if (await find(sub, mcpId)) return false
      await index.remove(sub, mcpId)
      return true
    },
  }
}

export type CredentialRepository = ReturnType<typeof credentialRepository>
