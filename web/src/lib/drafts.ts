import { readStored, readStoredJson, removeStored, storedKeys, writeStored } from './storage.ts'

/**
 * What was not sent yet, stored in this browser: the text, the files, the messages that wait for the end of a reply, and the message
 * that was sent but not acknowledged. Drafts of temporary chats stay in the page's memory. Where storage is full or refused, a draft
 * lives as long as the page. A key is `<user id>/<conversation id>`, or `<user id>/fresh:<tab>` for a chat that has not begun.
 */
const prefix = 'draft:'
const prefixes = {
  files: `${prefix}files:`,
  unsent: `${prefix}unsent:`,
  queue: `${prefix}queue:`,
  // the last one: the others begin with it
  text: prefix,
}
type Part = keyof typeof prefixes
const parts = Object.keys(prefixes) as Part[]
/** The drafts of chats that have not begun: `fresh:<tab>`, each tab has its own. */
export const freshDraftPrefix = 'fresh'

/** Drafts that must not be written to the storage, by key, with what they hold. */
const temporary = new Map<string, Partial<Record<Part, unknown>>>()

/** Whether a key of the storage is that of messages that wait. */
export const isQueueKey = (key: string | null): boolean => key?.startsWith(prefixes.queue) ?? false

export function readDraft(key: string): string {
  const draft = temporary.get(key)
  const text = draft ? draft.text : readStored('local', prefix + key)
  return typeof text === 'string' ? text : ''
}

/** @returns a part of a draft as it was stored; to be checked by whoever reads it */
export function readDraftPart(key: string, part: Exclude<Part, 'text'>): unknown {
  const draft = temporary.get(key)
  return draft ? draft[part] : readStoredJson('local', prefixes[part] + key)
}

/** @returns a list of a draft, empty when none is stored; its entries are to be checked by whoever reads them */
export function readDraftList(key: string, part: 'files' | 'queue'): readonly unknown[] {
  const value = readDraftPart(key, part)
  return Array.isArray(value) ? value : []
}

/** @param value nothing is stored for an empty one */
export function saveDraft(key: string, part: Part, value: unknown): void {
  const draft = temporary.get(key)
  if (draft) draft[part] = value
  else write(prefixes[part] + key, typeof value === 'string' ? value : serialize(value))
}

const serialize = (value: unknown) =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? '' : JSON.stringify(value)

/** Moves a draft into the page's memory and leaves no trace of it in the storage, or moves it back. */
export function setDraftTemporary(key: string, isTemporary: boolean): void {
  if (isTemporary === temporary.has(key)) return
  const draft = {
    text: readDraft(key),
    files: readDraftList(key, 'files'),
    unsent: readDraftPart(key, 'unsent') ?? undefined,
    queue: readDraftList(key, 'queue'),
  }
  discardDraft(key)
  if (isTemporary) temporary.set(key, draft)
  else for (const part of parts) saveDraft(key, part, draft[part])
}

/** Whether the page's memory is all that has a draft. */
export const isDraftTemporary = (key: string): boolean => temporary.has(key)

/** Whether something would be lost with the page. */
export function hasTemporaryDraft(key: string): boolean {
  return temporary.has(key) && (readDraft(key).trim() !== '' || readDraftList(key, 'files').length > 0)
}

export function emptyDraft(key: string): void {
  for (const part of parts) saveDraft(key, part, undefined)
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
  for (const key of listDrafts()) if (isForgotten(key)) discardDraft(key)
}

/** Removes the drafts of all conversations that have begun. */
export function forgetConversationDrafts(): void {
  for (const key of listDrafts()) if (!key.includes(`/${freshDraftPrefix}`)) discardDraft(key)
}

/** The keys of all drafts in the storage. */
export function listDrafts(): string[] {
  return [
    ...new Set(
      storedKeys('local', prefix).map((key) =>
        key.slice((Object.values(prefixes).find((one) => key.startsWith(one)) ?? prefix).length),
      ),
    ),
  ]
}

/** @param value nothing is stored for an empty one */
function write(key: string, value: string): void {
  // where it cannot be stored, the page still has it
  if (value === '') removeStored('local', key)
  else writeStored('local', key, value)
}
