/** Unsent text, kept in this browser. Where storage is full or refused, a draft lives as long as the page. */
const prefix = 'draft:'

export function readDraft(key: string): string {
  try {
    return localStorage.getItem(prefix + key) ?? ''
  } catch {
    return ''
  }
}

export function keepDraft(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(prefix + key)
    else localStorage.setItem(prefix + key, text)
  } catch {
    // the page still has it
  }
}

const filesPrefix = `${prefix}files:`

/** The stored files of a draft, as they were kept; to be checked by whoever reads them. */
export function readDraftFiles(key: string): unknown[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(filesPrefix + key) ?? '[]')
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

export function keepDraftFiles(key: string, files: readonly unknown[]): void {
  try {
    if (files.length === 0) localStorage.removeItem(filesPrefix + key)
    else localStorage.setItem(filesPrefix + key, JSON.stringify(files))
  } catch {
    // the page still has them
  }
}

/** Signing out leaves nothing of a person behind. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  } catch {
    // what cannot be read was not kept
  }
}
