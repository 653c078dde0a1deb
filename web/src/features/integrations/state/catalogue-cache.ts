import type { RegistryPage } from '#shared/contracts/registry.ts'
import { readStoredJson, removeStored, writeStored } from '../../../lib/browser/storage.ts'

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

/** Reads the cached page, and deletes one that has expired or cannot be read. */
export function readCachedFirstPage(): RegistryPage | undefined {
  const entry = readStoredJson('local', key)
  if (isCacheEntry(entry) && entry.expires_at > Date.now()) return entry.page
  removeStored('local', key)
  return undefined
}

/** Whether a stored value is one of this version. What a version has in an entry is not checked again. */
function isCacheEntry(value: unknown): value is { page: RegistryPage; expires_at: number } {
  const entry = Object(value) as Record<string, unknown>
  const { items } = Object(entry['page']) as Record<string, unknown>
  return entry['version'] === version && typeof entry['expires_at'] === 'number' && Array.isArray(items)
}
