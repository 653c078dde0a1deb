import type { RegistryPage } from '#shared/contracts/registry.ts'

/** How old what is shown in the service's place may be: a week. */
const keptMs = 7 * 86_400_000

/** The first page of the catalogue as it was seen last: public data, for when the service does not answer (REG-39, DATA-36). */
const key = 'catalogue'
const version = 2

export function keepFirstPage(page: RegistryPage): void {
  try {
    localStorage.setItem(
      key,
      JSON.stringify({ version, expires_at: Date.now() + keptMs, page: { ...page, hasMore: false } }),
    )
  } catch {
    // full or refused: then there is no second source
  }
}

/** What is over is deleted (REG-41). */
export function keptFirstPage(): RegistryPage | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (isKept(kept) && kept.expires_at > Date.now()) return kept.page
    localStorage.removeItem(key)
    return undefined
  } catch {
    return undefined
  }
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
