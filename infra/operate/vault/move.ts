import { isDeepStrictEqual } from 'node:util'
import type { SecretBackend, VaultKind } from '../../../functions/integrations/vault/vault.ts'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'
import { listSecretNames, scanVaultRows } from './rows.ts'

export type Backends = Readonly<Record<VaultKind, SecretBackend>>

export interface VaultWork {
  readonly table: Table
  readonly backends: Backends
  /** tells how far it is; gets no values */
  readonly report: (line: string) => void
}

/** How many values are handled at once. */
const concurrency = 8
/** After how many of them the operator hears of it. */
const reportEvery = 500

/**
 * Moves everything that is in use from the other place to this one, which new values go to already: copies all of it, then reads
 * both copies of each, and deletes the old one where they are equal. Names stay, and what lies under a name never changes, so each step
 * can be repeated, and whoever reads meanwhile finds a value in one place or the other.
 * @returns how many were moved, and how many are still to be moved because something failed
 */
export async function moveVault(
  { table, backends: backends, report }: VaultWork,
  to: VaultKind,
): Promise<{ moved: number; left: number }> {
  const from = backends[to === 'table' ? 'secrets' : 'table']
  const target = backends[to]
  const named = listSecretNames(await scanVaultRows(table))

  const copied = await forEachItem(named, { doing: 'copied', report }, async ({ sub, name }) => {
    const typed = await from.find(sub, name)
    if (!typed) return false
    await target.put(sub, name, typed)
    if (await from.find(sub, name)) return true
    // it was removed while it was copied, by somebody who may have looked here before the copy arrived
    await target.remove(sub, name)
    return false
  })

  const settled = await forEachItem(named, { doing: 'moved', report }, async ({ sub, name }) => {
    const typed = await from.find(sub, name)
    if (!typed) return false
    if (!isDeepStrictEqual(await target.find(sub, name), typed))
      throw new Error('there is no equal copy of it yet')
    await from.remove(sub, name)
    return true
  })
  // what could not be copied is not settled either
  return { moved: settled.done, left: Math.max(copied.failed, settled.failed) }
}

/** Where the values in use lie. */
export async function countVault({ table, backends: backends, report }: VaultWork) {
  const counts = { secrets: 0, table: 0, both: 0, nowhere: 0 }
  const named = listSecretNames(await scanVaultRows(table))
  const { failed } = await forEachItem(named, { doing: 'looked at', report }, async ({ sub, name }) => {
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
 * A few at a time; one that fails is reported and left, the others go on.
 * @param work tells whether there was anything to do
 */
export async function forEachItem<Item>(
  items: readonly Item[],
  { doing, report }: { doing: string; report: (line: string) => void },
  work: (item: Item) => Promise<boolean>,
): Promise<{ done: number; failed: number }> {
  const counts = { done: 0, failed: 0 }
  const reasons = new Map<string, number>()
  let seen = 0
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
        seen += 1
        if (seen % reportEvery === 0) report(`${doing}: ${seen} of ${items.length}`)
      }
    }),
  )
  for (const [reason, times] of reasons) report(`${times} could not be ${doing}: ${reason}`)
  return counts
}

/** A service's message may hold a name, and names hold ids of people: its kind is enough. */
function formatReason(error: unknown): string {
  const { name, message } = error as Error
  return name === 'Error' ? message : name
}
