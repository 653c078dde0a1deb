import { createHash, randomUUID } from 'node:crypto'
import * as z from 'zod'
import { environment } from '#shared/contracts/connection-kinds.ts'
import { queryAll } from '../../platform/dynamodb/query.ts'
import { deleteRow, putRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { isConditionFailed, updateRow } from '../../platform/dynamodb/update-row.ts'
import { remoteServer } from '../store/credential-repository.ts'

const lifeSeconds = 600

/** In the user's partition, so that erasing the account deletes it. */
const key = (sub: string, state: string) => ({
  PK: `U#${sub}`,
  SK: `OS#${createHash('sha256').update(state).digest('hex')}`,
})

const row = z.object({
  sub: z.string(),
  mcp_id: z.string(),
  environment,
  redirect_uri: z.string(),
  /** absent: the operator's app, read when it is used */
  client_id: z.string().optional(),
  parameters: z.record(z.string(), z.string()),
  /** the discovered authorization server, for a remote MCP server */
  server: remoteServer.optional(),
  /** the scopes that were requested there */
  scope: z.string().optional(),
  /** what to start the flow with again, when the server refuses it for an optional parameter */
  again: z
    .object({
      redirect_uri: z.string(),
      agreed_to: z.array(z.string()),
      sent: z.array(z.string()),
      /** what the server's page has refused, as the user's browser says */
      refused: z.array(z.string()).catch([]),
      has_new_client: z.boolean(),
    })
    .optional()
    .catch(undefined),
  /** the PKCE verifier and the user's client secret, encrypted for this state */
  sealed: z.string(),
})
export type OAuthState = z.output<typeof row>

/** States of pending OAuth flows. The table stores only their hashes. */
export const oauthStateRepository = (table: Table) => {
  return {
    async add(state: string, flow: OAuthState, nowSeconds: number): Promise<void> {
      const expires = nowSeconds + lifeSeconds
      await putRow(table, { ...key(flow.sub, state), ...flow, expires_at_seconds: expires, ttl: expires })
    },

    /** How many sign-ins of a user with a client have come back with nothing so far; those of the last minutes, until the table deletes them. */
    async countUnanswered(sub: string, clientId: string): Promise<number> {
      const items = await queryAll(table, { partition: `U#${sub}`, prefix: 'OS#' })
      return items.filter((item) => item['client_id'] === clientId && item['used_by'] === undefined).length
    },

    /**
     * Returns a state once, also if the client repeats the write because its response was lost, and deletes it, if user and redirect URI
     * match and it has not expired.
     * @returns undefined otherwise, without changes
     */
    async use(
      state: string,
      { sub, redirectUri, nowSeconds }: { sub: string; redirectUri: string; nowSeconds: number },
    ): Promise<OAuthState | undefined> {
      try {
        const { attributes } = await updateRow(table, key(sub, state), {
          update: 'SET used_by = :use',
          condition:
            'redirect_uri = :redirect AND expires_at_seconds > :now AND (attribute_not_exists(used_by) OR used_by = :use)',
          values: { ':redirect': redirectUri, ':now': nowSeconds, ':use': randomUUID() },
          returns: 'ALL_NEW',
        })
        // one that stays is of no use, and the table deletes it
        await deleteRow(table, key(sub, state)).catch(() => undefined)
        return row.parse(attributes)
      } catch (error) {
        if (isConditionFailed(error)) return undefined
        throw error
      }
    },
  }
}

/** Encryption context of a flow's secrets. */
export const sealingContext = (sub: string, state: string) => `oauth-state|${sub}|${state}`

/** What `sealed` holds. */
export const flowSecrets = z.object({ verifier: z.string().optional(), clientSecret: z.string().optional() })
