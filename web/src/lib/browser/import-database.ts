/** The browser's database of an import that is under way. */
export const importDatabase = 'juno-import'

/** Removes the files of an import that did not end, at the sign-out. */
export function removeStoredImport(): void {
  try {
    indexedDB.deleteDatabase(importDatabase)
  } catch {
    // site data is blocked: nothing is stored
  }
}
