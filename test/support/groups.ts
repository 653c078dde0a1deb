import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import { groupsKey } from '../../functions/platform/groups-row.ts'
import type { Table } from '../../functions/platform/dynamodb/table.ts'

/** Writes the limits of all groups. Functions that have read them keep those for a minute. */
export async function putGroups(
  { client, name: TableName }: Table,
  limits: Record<string, GroupLimits>,
): Promise<void> {
  const groups = Object.entries(limits).map(([name, own]) => [
    name,
    { description: '', limits: own, version: 1 },
  ])
  const Item = { ...groupsKey, version: 1, groups: Object.fromEntries(groups) as object }
  await client.send(new PutCommand({ TableName, Item }))
}
