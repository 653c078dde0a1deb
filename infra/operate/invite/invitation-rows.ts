import type { Table } from '../../../functions/platform/dynamodb/table.ts'
import {
  type Invitation,
  invitationRepository,
  readInvitation,
} from '../../../functions/sign-in/invitations.ts'
import { scanTable } from '../scan-table.ts'

/** Lists the valid invitations, including those of earlier releases, in the order of their expiry. */
export async function listInvitations(table: Table): Promise<Invitation[]> {
  const found: Invitation[] = []
  const rows = scanTable(table, {
    FilterExpression: 'begins_with(PK, :prefix)',
    ExpressionAttributeValues: { ':prefix': 'INVITE#' },
  })
  for await (const row of rows) found.push(...[readInvitation(row, Date.now()) ?? []].flat())
  found.push(...(await invitationRepository(table).list(Date.now())))
  return found.toSorted((one, other) => one.ttl - other.ttl)
}
