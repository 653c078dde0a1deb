import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import { queryAll } from '../platform/dynamodb/query.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'

const key = (sub: string, mcpId: string) => ({ PK: `U#${sub}`, SK: `C#${mcpId}` })

/** Where the tokens of a remote MCP server come from: what a sign-in under way, and then its credential, keep of the discovery. */
export const remoteServer = z.object({
  /** of the MCP server */
  url: z.string(),
  issuer: z.string(),
  /** RFC 9207: it names itself when it sends people back */
  names_itself: z.boolean(),
  token_url: z.string(),
  revoke_url: z.string().optional(),
  /** RFC 8707, as the server writes it */
  resource: z.string().optional(),
  client_auth: z.enum(['post', 'basic']),
})
export type RemoteServer = z.output<typeof remoteServer>

const row = z.object({
  /** of this very content; every change of it makes a new one */
  version: z.string(),
  /** CRED-09 */
  status: z.enum(['active', 'expired', 'invalid']).catch('active'),
  /** the secret that holds what was typed */
  secret_name: z.string().optional(),
  /** names of the typed values with what may be shown of them */
  masks: z.record(z.string(), z.string()).catch({}),
  /** the token set, sealed for user, integration and version */
  sealed: z.string().optional(),
  client_id: z.string().optional(),
  /** of tokens for a remote MCP server: who granted them */
  server: remoteServer.optional(),
  /** a refresh token is among the sealed ones */
  refreshable: z.boolean().catch(false),
  /** ISO 8601; of the access token, where it expires */
  access_expires_at: z.string().optional(),
  /** ISO 8601; when the person must act, where that is known (DEC-050) */
  expires_at: z.string().optional(),
  updated_at: z.string().catch(''),
})
export type CredentialRow = z.output<typeof row>

/** The part that changes with every refresh, in one write with the tokens themselves. */
export interface RenewedTokens {
  version: string
  sealed: string
  refreshable: boolean
  access_expires_at: string | undefined
  expires_at: string | undefined
}

export interface Lease {
  owner: string
  /** of the tokens that are to be renewed */
  version: string
}

export const credentialRepository = (table: Table) => {
  const { client, name: TableName } = table
  const change = (
    sub: string,
    mcpId: string,
    update: string,
    condition: string,
    values: Record<string, unknown>,
  ): Promise<boolean> => updateIf(table, key(sub, mcpId), { update, condition, values })

  async function find(sub: string, mcpId: string): Promise<CredentialRow | undefined> {
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: key(sub, mcpId), ConsistentRead: true }),
    )
    return Item && row.parse(Item)
  }

  return {
    find,

    /** CRED-08: all of a user's, by integration. */
    async list(sub: string): Promise<Map<string, CredentialRow>> {
      const items = await queryAll(table, { partition: `U#${sub}`, prefix: 'C#' })
      return new Map(items.map((item) => [String(item['SK']).slice('C#'.length), row.parse(item)]))
    },

    /**
     * Puts a new credential in the place of whatever was there.
     * @returns the names of secrets that no row names any more
     * @throws Error when the row does not hold it; one that was stored although its answer was lost is no error
     */
    async replace(sub: string, mcpId: string, credential: CredentialRow): Promise<string[]> {
      // read beforehand: the client repeats a write whose answer was lost, and is told then of its own first one
      const seen = await find(sub, mcpId)
      let before: CredentialRow | undefined
      try {
        const { Attributes } = await client.send(
          new PutCommand({
            TableName,
            Item: { ...key(sub, mcpId), ...credential },
            ReturnValues: 'ALL_OLD',
          }),
        )
        before = Attributes && row.parse(Attributes)
      } catch (error) {
        const now = await find(sub, mcpId)
        if (now?.version !== credential.version) throw error
      }
      const names = new Set([seen?.secret_name, before?.secret_name])
      names.delete(credential.secret_name)
      names.delete(undefined)
      return [...names] as string[]
    },

    /** One refresher at a time. @returns false while another holds the lease, or when the tokens are no longer these */
    takeLease: (
      sub: string,
      mcpId: string,
      lease: Lease,
      { nowMs, untilMs }: { nowMs: number; untilMs: number },
    ) =>
      change(
        sub,
        mcpId,
        'SET lease_owner = :owner, lease_until = :until',
        // one's own: the client repeats a write whose answer was lost
        '#version = :version AND (attribute_not_exists(lease_until) OR lease_until <= :now OR lease_owner = :owner)',
        { ':owner': lease.owner, ':version': lease.version, ':now': nowMs, ':until': untilMs },
      ),

    /**
     * Stores tokens that were granted in exchange for those of a version, in the write that ends the lease. Where the lease ran out
     * they are stored all the same, because the old ones may be spent.
     * @returns false when the tokens are others by now, or gone
     */
    renew: (sub: string, mcpId: string, version: string, tokens: RenewedTokens, at: string) => {
      const fields = ['access_expires_at', 'expires_at'] as const
      const present = fields.filter((field) => tokens[field] !== undefined)
      const absent = fields.filter((field) => tokens[field] === undefined)
      return change(
        sub,
        mcpId,
        `SET #version = :next, sealed = :sealed, refreshable = :refreshable, #status = :active, updated_at = :at${present.map((field) => `, ${field} = :${field}`).join('')} REMOVE lease_owner, lease_until${absent.map((field) => `, ${field}`).join('')}`,
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
    },

    /**
     * Gives the lease back without new tokens.
     * @param status set when the grant is gone
     * @returns false when the lease or the tokens are no longer the caller's
     */
    release: (sub: string, mcpId: string, lease: Lease, status?: CredentialRow['status']) =>
      change(
        sub,
        mcpId,
        `${status ? 'SET #status = :status ' : ''}REMOVE lease_owner, lease_until`,
        '#version = :version AND lease_owner = :owner',
        { ':owner': lease.owner, ':version': lease.version, ...(status && { ':status': status }) },
      ),

    /** @returns what was there */
    async remove(sub: string, mcpId: string): Promise<CredentialRow | undefined> {
      const { Attributes } = await client.send(
        new DeleteCommand({ TableName, Key: key(sub, mcpId), ReturnValues: 'ALL_OLD' }),
      )
      return Attributes && row.parse(Attributes)
    },
  }
}

export type CredentialRepository = ReturnType<typeof credentialRepository>
