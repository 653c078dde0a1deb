import { readStored, readStoredJson, removeStored, listStoredKeys, writeStored } from './storage.ts'

/**
 * Unsent input, stored in this browser: text, files, queued messages, and the message that was sent but not acknowledged. Drafts of
 * temporary chats stay in memory. If storage is full or blocked, a draft exists as long as the page. A key is
 * `<user id>/<conversation id>`, or `<user id>/fresh:<tab>` for a chat that has not started.
 */
const prefix = 'draft:'
const prefixes = {
  files: `${prefix}files:`,
  unacknowledged: `${prefix}unsent:`,
  queue: `${prefix}queue:`,
  // last: the other prefixes start with it
  text: prefix,
}
type Part = keyof typeof prefixes
const parts = Object.keys(prefixes) as Part[]
/** Drafts of chats that have not started: `fresh:<tab>`, one per tab. */
export const newChatDraftPrefix = 'fresh'

/** Drafts that must not be written to storage, by key. */
const temporaryDrafts = new Map<string, Partial<Record<Part, unknown>>>()

/** Whether a storage key belongs to queued messages. */
export const isQueueKey = (key: string | null): boolean => key?.startsWith(prefixes.queue) ?? false

/** @returns the text of a draft, empty when none is stored */
export function readDraft(key: string): string {
  const draft = temporaryDrafts.get(key)
  const text = draft ? draft.text : readStored('local', prefix + key)
  return typeof text === 'string' ? text : ''
}

/** @returns a part of a draft as it was stored; the caller validates it */
export function readDraftPart(key: string, part: Exclude<Part, 'text'>): unknown {
  const draft = temporaryDrafts.get(key)
  return draft ? draft[part] : readStoredJson('local', prefixes[part] + key)
}

/** @returns a list of a draft, empty when none is stored; the caller validates its entries */
export function readDraftList(key: string, part: 'files' | 'queue'): readonly unknown[] {
  const value = readDraftPart(key, part)
  return Array.isArray(value) ? value : []
}

/** Stores a part of a draft; an empty value removes it. */
export function saveDraft(key: string, part: Part, value: unknown): void {
  const draft = temporaryDrafts.get(key)
  if (draft) draft[part] = value
  else write(prefixes[part] + key, typeof value === 'string' ? value : serialize(value))
}

const serialize = (value: unknown) =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? '' : JSON.stringify(value)

/** Moves a draft into memory and removes it from storage, or moves it back. */
export function setDraftTemporary(key: string, isTemporary: boolean): void {
  if (isTemporary === temporaryDrafts.has(key)) return
  const draft = {
    text: readDraft(key),
    files: readDraftList(key, 'files'),
    unacknowledged: readDraftPart(key, 'unacknowledged') ?? undefined,
    queue: readDraftList(key, 'queue'),
  }
  discardDraft(key)
  if (isTemporary) temporaryDrafts.set(key, draft)
  else for (const part of parts) saveDraft(key, part, draft[part])
}

/** Whether a draft is kept in memory only. */
export const isDraftTemporary = (key: string): boolean => temporaryDrafts.has(key)

/** Whether closing the page would lose the draft. */
export function hasTemporaryDraft(key: string): boolean {
  return temporaryDrafts.has(key) && (readDraft(key).trim() !== '' || readDraftList(key, 'files').length > 0)
}

/** Empties a draft; one of a temporary chat stays in memory only. */
export function clearDraft(key: string): void {
  for (const part of parts) saveDraft(key, part, undefined)
}

/** Removes a draft from memory and storage. */
export function discardDraft(key: string): void {
  temporaryDrafts.delete(key)
  clearDraft(key)
}

/** Removes the drafts of all users, or of all but one, from this browser. */
export function removeDrafts({ exceptUserId }: { exceptUserId?: string } = {}): void {
  const isRemoved = (key: string) => exceptUserId === undefined || !key.startsWith(`${exceptUserId}/`)
  for (const key of temporaryDrafts.keys()) if (isRemoved(key)) temporaryDrafts.delete(key)
  for (const key of listDrafts()) if (isRemoved(key)) discardDraft(key)
}

/** Removes the drafts of all existing conversations. */
export function removeConversationDrafts(): void {
  for (const key of listDrafts()) if (!key.includes(`/${newChatDraftPrefix}`)) discardDraft(key)
}

/** The keys of all stored drafts. */
export function listDrafts(): string[] {
  return [
    ...new Set(
      listStoredKeys('local', prefix).map((key) =>
        key.slice((Object.values(prefixes).find((one) => key.startsWith(one)) ?? prefix).length),
      ),
    ),
  ]
}

/** Stores a value; an empty one removes it. */
function write(key: string, value: string): void {
  // a draft that cannot be stored still lives in the page
  if (value === '') removeStored('local', key)
  else writeStored('local', key, value)
}
