import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'
import { type Invitation, invitationKey, readInvitation } from '../../../functions/sign-in/invitations.ts'

/** Invites an address, or gives an invitation a new end. */
export async function saveInvitation(
  { client, name: TableName }: Table,
  { email, ttl }: Invitation,
): Promise<void> {
  await client.send(new PutCommand({ TableName, Item: { ...invitationKey(email), email, ttl } }))
}

/** The invitations that still hold, the first to end first. Reads the whole table, which no function does. */
export async function listInvitations({ client, name: TableName }: Table): Promise<Invitation[]> {
  const found: Invitation[] = []
  let start: Record<string, unknown> | undefined
  do {
    const page = await client.send(
      new ScanCommand({
        TableName,
        ConsistentRead: true,
        FilterExpression: 'begins_with(PK, :prefix)',
        ExpressionAttributeValues: { ':prefix': 'INVITE#' },
        ...(start && { ExclusiveStartKey: start }),
      }),
    )
    for (const row of page.Items ?? []) found.push(...[readInvitation(row, Date.now()) ?? []].flat())
    start = page.LastEvaluatedKey
  } while (start)
  return found.toSorted((one, other) => one.ttl - other.ttl)
}
