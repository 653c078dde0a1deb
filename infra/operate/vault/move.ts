import { isDeepStrictEqual } from 'node:util'
import type { SecretBackend, VaultKind } from '../../../functions/integrations/vault/vault.ts'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'
import { listSecretNames, scanVaultRows } from './rows.ts'

export type Backends = Readonly<Record<VaultKind, SecretBackend>>

export interface VaultWork {
  readonly table: Table
  readonly backends: Backends
  /** prints progress, never values */
  readonly report: (line: string) => void
}

const concurrency = 8
/** Progress is reported after this many items. */
const reportEvery = 500

/**
 * Moves all values in use from the other backend to this one, where new values are already stored. Copies all values, then compares both
 * copies of each and deletes the old one if they are equal. Names and values are immutable, so each step can be repeated, and concurrent
 * readers find a value in one of the backends.
 * @returns how many values were moved, and how many are left because of errors
 */
export async function moveVault(
  { table, backends, report }: VaultWork,
  to: VaultKind,
): Promise<{ moved: number; left: number }> {
  const from = backends[to === 'table' ? 'secrets' : 'table']
  const target = backends[to]
  const names = listSecretNames(await scanVaultRows(table))

  const copies = await forEachItem(names, { outcome: 'copied', report }, async ({ sub, name }) => {
    const credentials = await from.find(sub, name)
    if (!credentials) return false
    await target.put(sub, name, credentials)
    if (await from.find(sub, name)) return true
    // it was deleted during the copy, and the deletion may have missed the copy
    await target.remove(sub, name)
    return false
  })

  const moves = await forEachItem(names, { outcome: 'moved', report }, async ({ sub, name }) => {
    const credentials = await from.find(sub, name)
    if (!credentials) return false
    if (!isDeepStrictEqual(await target.find(sub, name), credentials))
      throw new Error('the copy is missing or differs')
    await from.remove(sub, name)
    return true
  })
  // a value that could not be copied is not moved either
  return { moved: moves.done, left: Math.max(copies.failed, moves.failed) }
}

/** Counts the values in use by backend. */
export async function countVault({ table, backends, report }: VaultWork) {
  const counts = { secrets: 0, table: 0, both: 0, nowhere: 0 }
  const names = listSecretNames(await scanVaultRows(table))
  const { failed } = await forEachItem(names, { outcome: 'checked', report }, async ({ sub, name }) => {
    const [inSecrets, inTable] = await Promise.all([
      backends.secrets.find(sub, name),
      backends.table.find(sub, name),
    ])
    counts[inSecrets && inTable ? 'both' : inSecrets ? 'secrets' : inTable ? 'table' : 'nowhere'] += 1
    return true
  })
  return { ...counts, unreadable: failed }
}

/**
 * Processes a few items at a time; failures are counted and reported, and the others continue.
 * @param outcome what happens to an item, as a participle for the reports
 * @param work returns whether there was anything to do
 */
export async function forEachItem<Item>(
  items: readonly Item[],
  { outcome, report }: { outcome: string; report: (line: string) => void },
  work: (item: Item) => Promise<boolean>,
): Promise<{ done: number; failed: number }> {
  const counts = { done: 0, failed: 0 }
  const reasons = new Map<string, number>()
  let processed = 0
  const queue = items[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of queue) {
        try {
          if (await work(item)) counts.done += 1
        } catch (error) {
          counts.failed += 1
          const reason = formatReason(error)
          reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
        }
        processed += 1
        if (processed % reportEvery === 0) report(`${outcome}: ${processed} of ${items.length}`)
      }
    }),
  )
  for (const [reason, times] of reasons) report(`${times} could not be ${outcome}: ${reason}`)
  return counts
}

/** Messages of AWS may contain names of secrets, which contain user ids: only the error's name is reported. */
function formatReason(error: unknown): string {
  const { name, message } = error as Error
  return name === 'Error' ? message : name
}
