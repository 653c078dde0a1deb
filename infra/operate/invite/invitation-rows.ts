import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'
import { type Invitation, invitationKey, readInvitation } from '../../../functions/sign-in/invitations.ts'
import { scanTable } from '../scan-table.ts'

/** Invites an address, or gives an invitation a new end. */
export async function saveInvitation(
  { client, name: TableName }: Table,
  { email, ttl }: Invitation,
): Promise<void> {
  await client.send(new PutCommand({ TableName, Item: { ...invitationKey(email), email, ttl } }))
}

/** Lists the valid invitations, the first to expire first. */
export async function listInvitations(table: Table): Promise<Invitation[]> {
  const found: Invitation[] = []
  const rows = scanTable(table, {
    FilterExpression: 'begins_with(PK, :prefix)',
    ExpressionAttributeValues: { ':prefix': 'INVITE#' },
  })
  for await (const row of rows) found.push(...[readInvitation(row, Date.now()) ?? []].flat())
  return found.toSorted((one, other) => one.ttl - other.ttl)
}
