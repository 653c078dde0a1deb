import * as z from 'zod'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'
import { scanTable } from '../stage.ts'

/** Sort key prefixes of credentials, custom tools, vault values and second factors (docs/table.md). */
const prefixes = ['C#', 'T#', 'V#', 'MFA']

/** A row of any user that refers to a value in the vault, or contains a sealed value. */
const vaultRow = z
  .object({
    PK: z.string().startsWith('U#'),
    SK: z.string(),
    secret_name: z.string().optional(),
    stored_at: z.string().catch(''),
    sealed: z.string().optional(),
    secret: z.string().optional(),
    version: z.string().optional(),
  })
  .transform(({ PK, SK, secret_name, stored_at, sealed, secret, version }) => ({
    sub: PK.slice('U#'.length),
    key: { PK, SK },
    /** name of the value in the vault */
    name: secret_name,
    /** ISO 8601, for credentials in the table */
    storedAt: stored_at,
    /** the sealed value, and its attribute */
    ...(SK.startsWith('MFA')
      ? { sealed: secret, field: 'secret' as const }
      : { sealed, field: 'sealed' as const }),
    /** version of the credential, part of the seal context of its tokens */
    version,
  }))
export type VaultRow = z.output<typeof vaultRow>

/** @param withSealed also reads sealed values, which may be large together */
export async function scanVaultRows(table: Table, { withSealed = false } = {}): Promise<VaultRow[]> {
  const items = scanTable(table, {
    FilterExpression: `begins_with(PK, :user) AND (${prefixes.map((_, at) => `begins_with(SK, :p${at})`).join(' OR ')})`,
    ProjectionExpression: `PK, SK, secret_name, stored_at${withSealed ? ', sealed, secret, #version' : ''}`,
    ...(withSealed && { ExpressionAttributeNames: { '#version': 'version' } }),
    ExpressionAttributeValues: {
      ':user': 'U#',
      ...Object.fromEntries(prefixes.map((prefix, at) => [`:p${at}`, prefix])),
    },
  })
  const rows: VaultRow[] = []
  for await (const item of items) rows.push(vaultRow.parse(item))
  return rows
}

/** The values that rows refer to. */
export const listSecretNames = (rows: readonly VaultRow[]): { sub: string; name: string }[] =>
  rows.flatMap(({ sub, name }) => (name === undefined ? [] : [{ sub, name }]))

/** Parses the key of a row with credentials; undefined for other rows. */
export function parseCredentialKey({ key: { SK } }: VaultRow): { id: string; version: string } | undefined {
  const [, id, version] = /^V#(.+)#([^#]+)$/.exec(SK) ?? []
  return id === undefined || version === undefined ? undefined : { id, version }
}
