import type { RegistryPage } from '#shared/contracts/registry.ts'

/** The first page of the catalogue as it was seen last: public data, for when the service does not answer (REG-39). */
const key = 'catalogue'
const version = 1

export function keepFirstPage(page: RegistryPage): void {
  try {
    localStorage.setItem(key, JSON.stringify({ version, page: { ...page, hasMore: false } }))
  } catch {
    // full or refused: then there is no second source
  }
}

export function keptFirstPage(): RegistryPage | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isKept(kept) ? kept.page : undefined
  } catch {
    return undefined
  }
}

function isKept(value: unknown): value is { page: RegistryPage } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === version &&
    'page' in value &&
    typeof value.page === 'object'
  )
}
