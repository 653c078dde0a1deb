import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from './table.ts'
import { keptSeconds, markKey, markRow } from './token-revocation.ts'

/** Writes the marks that `tokenRevocation` honours: apart from it, so that functions which only check need no right to write. */
export const tokenRevoker = ({ client, name: TableName }: Table) => ({
  /** From here on the tokens made until now are refused. */
  async revoke(sub: string, reason: 'signed-out' | 'erased', nowMs: number): Promise<void> {
    const at = Math.floor(nowMs / 1000)
    await client.send(
      new PutCommand({ TableName, Item: { ...markKey(sub), reason, at, ttl: at + keptSeconds } }),
    )
  },

  /** Whether an erasure of this user was begun, a short while ago. */
  async isErasing(sub: string): Promise<boolean> {
    const { Item } = await client.send(new GetCommand({ TableName, Key: markKey(sub), ConsistentRead: true }))
    return Item !== undefined && markRow.parse(Item).reason === 'erased'
  },
})

export type TokenRevoker = ReturnType<typeof tokenRevoker>
