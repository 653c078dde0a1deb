import { paginateListSecrets, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { credentialsContext } from '../../../functions/integrations/vault/table.ts'
import { tokenContext } from '../../../functions/integrations/credentials/seal-tokens.ts'
import { secretContext } from '../../../functions/mfa/enrolment.ts'
import type { Sealer } from '../../../functions/platform/secrets/seal.ts'
import { readRow } from '../../../functions/platform/dynamodb/rows.ts'
import { updateIf } from '../../../functions/platform/dynamodb/update-row.ts'
import { vapidKeyContext, vapidKeyRow } from '../../../functions/push/vapid-key.ts'
import { forEachItem, type VaultWork } from './move.ts'
import { listSecretNames, parseCredentialKey, type VaultRow, scanVaultRows } from './rows.ts'

/** Younger values may not have their row yet. */
const graceMs = 3_600_000

/**
 * Finds orphaned values: a crash may have come between writing a value and its row. Secrets are listed before the rows are read, so that
 * a row written meanwhile is seen.
 * @param prefix of the secrets of this stage's vault
 */
export async function findOrphans(
  { table }: Pick<VaultWork, 'table'>,
  { client, prefix, now }: { client: SecretsManagerClient; prefix: string; now: Date },
): Promise<{ sub: string; name: string }[]> {
  const before = new Date(now.getTime() - graceMs)
  const secrets = await listSecretsBefore(client, `${prefix}/`, before)
  const rows = await scanVaultRows(table)
  const usedNames = new Set(listSecretNames(rows).map(({ name }) => name))
  const inTable = rows.flatMap((row) => {
    const parts = parseCredentialKey(row)
    return parts && row.storedAt < before.toISOString()
      ? [{ sub: row.sub, name: `${prefix}/${row.sub}/${parts.id}/${parts.version}` }]
      : []
  })
  const inSecrets = secrets.flatMap((name) => {
    const [sub, ...rest] = name.slice(`${prefix}/`.length).split('/')
    return sub && rest.length === 2 ? [{ sub, name }] : []
  })
  const orphans = [...inTable, ...inSecrets].filter(({ name }) => !usedNames.has(name))
  return [...new Map(orphans.map((orphan) => [orphan.name, orphan])).values()]
}

/** Deletes values from both backends. */
export const removeOrphans = ({ backends, report }: VaultWork, orphans: { sub: string; name: string }[]) =>
  forEachItem(orphans, { outcome: 'removed', report }, async ({ sub, name }) => {
    await backends.secrets.remove(sub, name)
    await backends.table.remove(sub, name)
    return true
  })

/** The names of secrets that begin so and were created before this time. */
export async function listSecretsBefore(
  client: SecretsManagerClient,
  prefix: string,
  before: Date,
): Promise<string[]> {
  const names: string[] = []
  const pages = paginateListSecrets(
    { client, pageSize: 100 },
    { Filters: [{ Key: 'name', Values: [prefix] }] },
  )
  for await (const { SecretList = [] } of pages)
    for (const { Name, CreatedDate } of SecretList)
      if (Name?.startsWith(prefix) && CreatedDate && CreatedDate < before) names.push(Name)
  return names
}

/**
 * Seals values again with the current key: credentials, tokens, second factors, and the key that signs push messages. A row that changes
 * meanwhile is left for the next run.
 * @returns how many values were resealed, and how many are still sealed with an older key
 */
export async function resealAll(
  { table, report }: Pick<VaultWork, 'table' | 'report'>,
  sealer: Pick<Sealer, 'reseal'>,
): Promise<{ resealed: number; left: number }> {
  const ofUsers = (await scanVaultRows(table, { withSealed: true })).map((row) => ({
    ...row,
    context: sealContext(row),
  }))
  const pushKey = {
    key: vapidKeyRow,
    field: 'sealed',
    sealed: (await readRow(table, vapidKeyRow))?.['sealed'] as string | undefined,
    context: vapidKeyContext,
    version: undefined,
  }
  const rows = [...ofUsers, pushKey].filter(({ sealed }) => sealed !== undefined)
  const { done, failed } = await forEachItem(rows, { outcome: 'sealed again', report }, async (row) => {
    const { key, field, sealed: old = '', version, context } = row
    const fresh = await sealer.reseal(old, context)
    if (fresh === undefined) return false
    const changed = await updateIf(table, key, {
      update: `SET #${field} = :fresh`,
      condition: `#${field} = :old${version === undefined ? '' : ' AND #version = :version'}`,
      values: { ':fresh': fresh, ':old': old, ...(version !== undefined && { ':version': version }) },
    })
    if (!changed) throw new Error('it changed meanwhile')
    return true
  })
  return { resealed: done, left: failed }
}

function sealContext(row: VaultRow): string {
  const { sub, key, version = '' } = row
  const credential = parseCredentialKey(row)
  if (credential) return credentialsContext(sub, credential)
  if (row.field === 'secret') return secretContext(sub)
  return tokenContext({ sub, mcpId: key.SK.slice('C#'.length) }, version)
}
