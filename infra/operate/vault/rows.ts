import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'

/** Everything in the table that names, holds or is typed or sealed for a user, of all users. No function reads a whole table. */
export interface VaultRow {
  readonly sub: string
  readonly key: { readonly PK: string; readonly SK: string }
  /** what the row names in the vault */
  readonly name: string | undefined
  /** ISO 8601; of a typed value that lies here */
  readonly storedAt: string
  /** what is sealed here, and the attribute it stands in */
  readonly sealed: string | undefined
  readonly field: 'sealed' | 'secret'
  /** of the credential, which its tokens are sealed for */
  readonly version: string | undefined
}

/** Credentials, custom tools, typed values and second factors, by the beginnings of their sort keys (docs/architecture.md). */
const prefixes = ['C#', 'T#', 'V#', 'MFA']

const row = z.object({
  PK: z.string().startsWith('U#'),
  SK: z.string(),
  secret_name: z.string().optional(),
  stored_at: z.string().catch(''),
  sealed: z.string().optional(),
  secret: z.string().optional(),
  version: z.string().optional(),
})

/**
 * Reads the table once, from end to end.
 * @param withSealed what is sealed comes along: all of it together may be large
 */
export async function scanVaultRows(
  { client, name: TableName }: Table,
  { withSealed = false } = {},
): Promise<VaultRow[]> {
  const rows: VaultRow[] = []
  let start: Record<string, unknown> | undefined
  do {
    const page = await client.send(
      new ScanCommand({
        TableName,
        ConsistentRead: true,
        FilterExpression: `begins_with(PK, :user) AND (${prefixes.map((_, at) => `begins_with(SK, :p${at})`).join(' OR ')})`,
        ProjectionExpression: `PK, SK, secret_name, stored_at${withSealed ? ', sealed, secret, #version' : ''}`,
        ...(withSealed && { ExpressionAttributeNames: { '#version': 'version' } }),
        ExpressionAttributeValues: {
          ':user': 'U#',
          ...Object.fromEntries(prefixes.map((prefix, at) => [`:p${at}`, prefix])),
        },
        ...(start && { ExclusiveStartKey: start }),
      }),
    )
    for (const item of page.Items ?? []) rows.push(fromItem(item))
    start = page.LastEvaluatedKey
  } while (start)
  return rows
}

function fromItem(item: Record<string, unknown>): VaultRow {
  const { PK, SK, secret_name, stored_at, sealed, secret, version } = row.parse(item)
  const isFactor = SK.startsWith('MFA')
  return {
    sub: PK.slice('U#'.length),
    key: { PK, SK },
    name: secret_name,
    storedAt: stored_at,
    sealed: isFactor ? secret : sealed,
    field: isFactor ? 'secret' : 'sealed',
    version,
  }
}

/** What the rows name: the values that are in use. */
export const listSecretNames = (rows: readonly VaultRow[]): { sub: string; name: string }[] =>
  rows.flatMap(({ sub, name }) => (name === undefined ? [] : [{ sub, name }]))

/** Of a row that holds a typed value: what it is for. */
export function parseCredentialKey({ key: { SK } }: VaultRow): { id: string; version: string } | undefined {
  const [, id, version] = /^V#(.+)#([^#]+)$/.exec(SK) ?? []
  return id === undefined || version === undefined ? undefined : { id, version }
}
