import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { environment } from '#shared/contracts/registry.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { remoteServer } from '../credential-repository.ts'
import { isConditionFailed } from '../../platform/dynamodb/update-row.ts'

/** DEC-087 */
const lifeSeconds = 600

/** Among the rows of the user, so that it goes with them. */
const key = (sub: string, state: string) => ({
  PK: `U#${sub}`,
  SK: `OS#${createHash('sha256').update(state).digest('hex')}`,
})

const row = z.object({
  sub: z.string(),
  mcp_id: z.string(),
  environment,
  redirect_uri: z.string(),
  /** absent: the operator's own is looked up when it is used */
  client_id: z.string().optional(),
  parameters: z.record(z.string(), z.string()),
  /** where the sign-in is at the authorization server of a remote MCP server */
  server: remoteServer.optional(),
  /** the PKCE verifier and the typed client secret, sealed for this state */
  sealed: z.string(),
})
export type OAuthState = z.output<typeof row>

/** States of OAuth flows that are on their way. The table knows their hashes only. */
export const oauthStateRepository = ({ client, name: TableName }: Table) => ({
  async add(state: string, flow: OAuthState, nowSeconds: number): Promise<void> {
    const expires = nowSeconds + lifeSeconds
    await client.send(
      new PutCommand({
        TableName,
        Item: { ...key(flow.sub, state), ...flow, expires_at_seconds: expires, ttl: expires },
      }),
    )
  },

  /**
   * Uses a state up: it is given once, to the user who began the flow, for the redirect that it was begun with, in time.
   * @returns undefined otherwise, with nothing changed
   */
  async use(
    state: string,
    { sub, redirectUri, nowSeconds }: { sub: string; redirectUri: string; nowSeconds: number },
  ): Promise<OAuthState | undefined> {
    try {
      const { Attributes } = await client.send(
        new DeleteCommand({
          TableName,
          Key: key(sub, state),
          ConditionExpression: 'redirect_uri = :redirect AND expires_at_seconds > :now',
          ExpressionAttributeValues: { ':redirect': redirectUri, ':now': nowSeconds },
          ReturnValues: 'ALL_OLD',
        }),
      )
      return row.parse(Attributes)
    } catch (error) {
      if (!isConditionFailed(error)) throw error
      return undefined
    }
  },
})

export type OAuthStateRepository = ReturnType<typeof oauthStateRepository>

/** Encryption context of a flow's secrets. */
export const contextOf = (sub: string, state: string) => `oauth-state|${sub}|${state}`
