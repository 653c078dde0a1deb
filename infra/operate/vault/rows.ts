import * as z from 'zod'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'
import { scanTable } from '../stage.ts'

/** A row of any user that refers to a value in the vault, or contains a sealed value. */
export interface VaultRow {
  readonly sub: string
  readonly key: { readonly PK: string; readonly SK: string }
  /** name of the value in the vault */
  readonly name: string | undefined
  /** ISO 8601, for credentials in the table */
  readonly storedAt: string
  /** the sealed value, and its attribute */
  readonly sealed: string | undefined
  readonly field: 'sealed' | 'secret'
  /** version of the credential, part of the seal context of its tokens */
  readonly version: string | undefined
}

/** Sort key prefixes of credentials, custom tools, vault values and second factors (docs/architecture.md). */
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
  for await (const item of items) rows.push(fromItem(item))
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

/** The values that rows refer to. */
export const listSecretNames = (rows: readonly VaultRow[]): { sub: string; name: string }[] =>
  rows.flatMap(({ sub, name }) => (name === undefined ? [] : [{ sub, name }]))

/** Parses the key of a row with credentials; undefined for other rows. */
export function parseCredentialKey({ key: { SK } }: VaultRow): { id: string; version: string } | undefined {
  const [, id, version] = /^V#(.+)#([^#]+)$/.exec(SK) ?? []
  return id === undefined || version === undefined ? undefined : { id, version }
}
