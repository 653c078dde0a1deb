import { readStored, readStoredJson, removeStored, storedKeys, writeStored } from './storage.ts'

/**
 * Text and files that were not sent yet, and the message that was sent but not acknowledged, stored in this browser. Drafts of temporary chats stay in the page's memory. Where storage is full or
 * refused, a draft lives as long as the page. A key is `<user id>/<conversation id>`, or `<user id>/fresh` for the chat that has not
 * begun.
 */
const prefix = 'draft:'
const filesPrefix = `${prefix}files:`
const unsentPrefix = `${prefix}unsent:`
export const freshDraft = 'fresh'

/** Drafts that must not be written to the storage, by key, with what they hold. */
const temporary = new Map<string, { text: string; files: readonly unknown[]; unsent: unknown }>()

export function readDraft(key: string): string {
  const draft = temporary.get(key)
  return draft ? draft.text : (readStored('local', prefix + key) ?? '')
}

export function keepDraft(key: string, text: string): void {
  const draft = temporary.get(key)
  if (draft) draft.text = text
  else write(prefix + key, text)
}

/** The stored files of a draft, as they were kept; to be checked by whoever reads them. */
export function readDraftFiles(key: string): readonly unknown[] {
  const draft = temporary.get(key)
  if (draft) return draft.files
  const value = readStoredJson('local', filesPrefix + key)
  return Array.isArray(value) ? value : []
}

/** The message of a conversation that was not acknowledged, as it was stored; to be checked by whoever reads it. */
export function readUnsent(key: string): unknown {
  const draft = temporary.get(key)
  return draft ? draft.unsent : readStoredJson('local', unsentPrefix + key)
}

/** @param message undefined once the service has acknowledged it */
export function saveUnsent(key: string, message: object | undefined): void {
  const draft = temporary.get(key)
  if (draft) draft.unsent = message
  else write(unsentPrefix + key, message === undefined ? '' : JSON.stringify(message))
}

export function keepDraftFiles(key: string, files: readonly unknown[]): void {
  const draft = temporary.get(key)
  if (draft) draft.files = files
  else write(filesPrefix + key, files.length === 0 ? '' : JSON.stringify(files))
}

/** Moves a draft into the page's memory and leaves no trace of it in the storage, or moves it back. */
export function setDraftTemporary(key: string, isTemporary: boolean): void {
  if (isTemporary === temporary.has(key)) return
  const draft = { text: readDraft(key), files: readDraftFiles(key), unsent: readUnsent(key) }
  discardDraft(key)
  if (isTemporary) temporary.set(key, draft)
  else {
    keepDraft(key, draft.text)
    keepDraftFiles(key, draft.files)
    saveUnsent(key, draft.unsent ?? undefined)
  }
}

/** Whether the page's memory is all that has a draft. */
export function hasTemporaryDraft(key: string): boolean {
  const draft = temporary.get(key)
  return draft !== undefined && (draft.text.trim() !== '' || draft.files.length > 0)
}

export function emptyDraft(key: string): void {
  keepDraft(key, '')
  keepDraftFiles(key, [])
  saveUnsent(key, undefined)
}

export function discardDraft(key: string): void {
  temporary.delete(key)
  emptyDraft(key)
}

/**
 * Removes every draft, of all users: signing out leaves nothing behind.
 * @param exceptUserId whose drafts stay
 */
export function forgetDrafts(exceptUserId?: string): void {
  const isForgotten = (key: string) => exceptUserId === undefined || !key.startsWith(`${exceptUserId}/`)
  for (const key of temporary.keys()) if (isForgotten(key)) temporary.delete(key)
  for (const key of draftKeys()) if (isForgotten(key)) discardDraft(key)
}

/** Removes the drafts of all conversations that have begun. */
export function forgetConversationDrafts(): void {
  for (const key of draftKeys()) if (!key.endsWith(`/${freshDraft}`)) discardDraft(key)
}

/** The keys of all drafts in the storage. */
function draftKeys(): Set<string> {
  const prefixes = [filesPrefix, unsentPrefix, prefix]
  return new Set(
    storedKeys('local', prefix).map((key) =>
      key.slice((prefixes.find((one) => key.startsWith(one)) ?? prefix).length),
    ),
  )
}

/** @param value nothing is stored for an empty one */
function write(key: string, value: string): void {
  // where it cannot be stored, the page still has it
  if (value === '') removeStored('local', key)
  else writeStored('local', key, value)
}
