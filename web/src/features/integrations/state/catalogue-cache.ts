import type { RegistryPage } from '#shared/contracts/registry.ts'
import { readStoredJson, removeStored, writeStored } from '../../../lib/storage.ts'

/** A week: the maximum age of the cached page. */
const maxAgeMs = 7 * 86_400_000

/** The storage key of the first page of the catalogue, which is shown when the service does not respond. It is public data. */
const key = 'catalogue'
const version = 2

/** Stores the first page of the catalogue. */
export function cacheFirstPage(page: RegistryPage): void {
  const entry = { version, expires_at: Date.now() + maxAgeMs, page: { ...page, hasMore: false } }
  // without storage there is no fallback
  writeStored('local', key, JSON.stringify(entry))
}

/** Reads the cached page and deletes it if it has expired. */
export function readCachedFirstPage(): RegistryPage | undefined {
  const entry = readStoredJson('local', key)
  if (isCacheEntry(entry) && entry.expires_at > Date.now()) return entry.page
  removeStored('local', key)
  return undefined
}

function isCacheEntry(value: unknown): value is { page: RegistryPage; expires_at: number } {
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
