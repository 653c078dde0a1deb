import { GetCommand, DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { foldEmail } from '#shared/user-pool.ts'
import type { Table } from '../platform/dynamodb/table.ts'

const invitation = z.object({
  email: z.string(),
  /** seconds */
  ttl: z.number(),
})
export type Invitation = z.output<typeof invitation>

/** The key of an invitation; contains a hash instead of the e-mail address. */
export const invitationKey = (email: string) => ({
  PK: `INVITE#${createHash('sha256').update(foldEmail(email)).digest('hex')}`,
  SK: 'INVITE',
})

/**
 * @returns undefined if the row is missing or has expired: the table deletes expired rows late
 */
export function readInvitation(row: unknown, nowMs: number): Invitation | undefined {
  const parsed = invitation.safeParse(row)
  return parsed.success && parsed.data.ttl > nowMs / 1000 ? parsed.data : undefined
}

/** Whether an e-mail address has a valid invitation. */
export async function isInvited(
  { client, name: TableName }: Table,
  email: string,
  nowMs: number,
): Promise<boolean> {
  const { Item } = await client.send(
    new GetCommand({ TableName, Key: invitationKey(email), ConsistentRead: true }),
  )
  return readInvitation(Item, nowMs) !== undefined
}

/**
 * Deletes an invitation; can be repeated.
 * @returns the invitation, if there was a valid one
 */
export async function redeemInvitation(
  { client, name: TableName }: Table,
  email: string,
): Promise<Invitation | undefined> {
  const { Attributes } = await client.send(
    new DeleteCommand({ TableName, Key: invitationKey(email), ReturnValues: 'ALL_OLD' }),
  )
  return readInvitation(Attributes, Date.now())
}
