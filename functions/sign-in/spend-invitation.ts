import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../platform/dynamodb/table.ts'
import { invitationKey, type Invitation, readInvitation } from './invitations.ts'

/**
 * Takes an invitation out of the table; can be repeated.
 * @returns the invitation, if there was one that still held
 */
export async function spendInvitation(
  { client, name: TableName }: Table,
  email: string,
): Promise<Invitation | undefined> {
  const { Attributes } = await client.send(
    new DeleteCommand({ TableName, Key: invitationKey(email), ReturnValues: 'ALL_OLD' }),
  )
  return readInvitation(Attributes, Date.now())
}
