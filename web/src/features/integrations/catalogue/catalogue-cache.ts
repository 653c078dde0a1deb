import type { RegistryPage } from '#shared/contracts/registry.ts'
import { readStoredJson, removeStored, writeStored } from '../../../lib/storage.ts'

/** How old what is shown in the service's place may be: a week. */
const keptMs = 7 * 86_400_000

/** The first page of the catalogue as it was seen last: public data, for when the service does not answer (REG-39, DATA-36). */
const key = 'catalogue'
const version = 2

export function keepFirstPage(page: RegistryPage): void {
  const kept = { version, expires_at: Date.now() + keptMs, page: { ...page, hasMore: false } }
  // full or refused: then there is no second source
  writeStored('local', key, JSON.stringify(kept))
}

/** What is over is deleted (REG-41). */
export function keptFirstPage(): RegistryPage | undefined {
  const kept = readStoredJson('local', key)
  if (isKept(kept) && kept.expires_at > Date.now()) return kept.page
  removeStored('local', key)
  return undefined
}

function isKept(value: unknown): value is { page: RegistryPage; expires_at: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === version &&
    'expires_at' in value &&
    typeof value.expires_at === 'number' &&
    'page' in value &&
    typeof value.page === 'object'
  )
}
