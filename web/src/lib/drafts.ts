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

/** Signing out leaves nothing of a person behind. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  } catch {
    // what cannot be read was not kept
  }
}
