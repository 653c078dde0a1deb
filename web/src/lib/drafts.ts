import { readStored, readStoredJson, removeStored, listStoredKeys, writeStored } from './storage.ts'
import { tabId } from './tab-id.ts'

/**
 * Unsent input, stored in this browser. What is written in a composer (text, files) belongs to one tab, so that two tabs of a conversation
 * neither overwrite nor delete each other's: its key is `<user id>/<conversation id>:<tab>`, or `<user id>/fresh:<tab>` for a chat that
 * has not started. What a conversation still has to send (queued messages, the message that was not acknowledged) belongs to all tabs:
 * `<user id>/<conversation id>`. Drafts of temporary chats stay in memory. If storage is full or blocked, a draft exists as long as the page.
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
/** Stands for the conversation in the drafts of chats that have not started. */
const newChat = 'fresh'

/** The start of the keys of what composers hold, in all tabs. @param conversationId absent in a chat that has not started */
export const composerDraftPrefix = (userId: string, conversationId: string = newChat): string =>
  `${userId}/${conversationId}:`

/** The key of what the composer of this tab holds. @param conversationId absent in a chat that has not started */
export const composerDraftKey = (userId: string, conversationId?: string): string =>
  composerDraftPrefix(userId, conversationId) + tabId

/** The values of drafts that must not be written to storage, by key. It says where they are, not why. */
const memory = new Map<string, Partial<Record<Part, unknown>>>()

/** Texts that are newer than the stored ones. A long text is not written with every key press. */
const unwrittenTexts = new Map<string, string>()
const writeDelayMs = 300
let writeTimer: ReturnType<typeof setTimeout> | undefined

const listeners = new Set<() => void>()

/** Called when a draft has changed in this page. @returns unsubscribes */
export function subscribeToDrafts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether a storage key belongs to queued messages. */
export const isQueueKey = (key: string | null): boolean => key?.startsWith(prefixes.queue) ?? false

/** @returns the text of a draft, empty when none is stored */
export function readDraft(key: string): string {
  const draft = memory.get(key)
  const text = draft ? draft.text : (unwrittenTexts.get(key) ?? readStored('local', prefix + key))
  return typeof text === 'string' ? text : ''
}

/** @returns a part of a draft as it was stored; the caller validates it */
export function readDraftPart(key: string, part: Exclude<Part, 'text'>): unknown {
  const draft = memory.get(key)
  return draft ? draft[part] : readStoredJson('local', prefixes[part] + key)
}

/** @returns a list of a draft, empty when none is stored; the caller validates its entries */
export function readDraftList(key: string, part: 'files' | 'queue'): readonly unknown[] {
  const value = readDraftPart(key, part)
  return Array.isArray(value) ? value : []
}

/** Stores a part of a draft, a text soon; an empty value removes it at once. */
export function saveDraft(key: string, part: Part, value: unknown): void {
  const draft = memory.get(key)
  if (part === 'text') unwrittenTexts.delete(key)
  if (draft) draft[part] = value
  else if (part === 'text' && typeof value === 'string' && value !== '') {
    unwrittenTexts.set(key, value)
    writeTimer ??= setTimeout(writeTexts, writeDelayMs)
  } else write(prefixes[part] + key, serialize(value))
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

/** A text that cannot be stored stays in the page. */
function writeTexts(): void {
  clearTimeout(writeTimer)
  writeTimer = undefined
  for (const [key, text] of unwrittenTexts) if (write(prefix + key, text)) unwrittenTexts.delete(key)
}

addEventListener('pagehide', writeTexts)
// a hidden page may be discarded without another event
document.addEventListener('visibilitychange', writeTexts)

const serialize = (value: unknown) =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
    ? ''
    : JSON.stringify(value)

/** Moves a draft into memory and removes it from storage, or moves it back. */
export function keepDraftInMemory(key: string, isInMemory: boolean): void {
  if (isInMemory === memory.has(key)) return
  const draft = {
    text: readDraft(key),
    files: readDraftList(key, 'files'),
    unacknowledged: readDraftPart(key, 'unacknowledged') ?? undefined,
    queue: readDraftList(key, 'queue'),
  }
  discardDraft(key)
  if (isInMemory) memory.set(key, draft)
  else for (const part of parts) saveDraft(key, part, draft[part])
  writeTexts()
  notify()
}

/** The keys of all drafts of a conversation: its own, that of this tab, and those of other tabs. */
const listConversationDrafts = (userId: string, conversationId: string): string[] => [
  `${userId}/${conversationId}`,
  ...new Set([
    composerDraftKey(userId, conversationId),
    ...[...listDrafts(), ...memory.keys()].filter((key) =>
      key.startsWith(composerDraftPrefix(userId, conversationId)),
    ),
  ]),
]

/** Moves all drafts of a conversation into memory, or back. */
export function keepConversationDraftsInMemory(
  userId: string,
  conversationId: string,
  isInMemory: boolean,
): void {
  for (const key of listConversationDrafts(userId, conversationId)) keepDraftInMemory(key, isInMemory)
}

/** Empties all drafts of a conversation; those in memory stay there. */
export function clearConversationDrafts(userId: string, conversationId: string): void {
  for (const key of listConversationDrafts(userId, conversationId)) clearDraft(key)
}

/** Whether closing the page would lose the draft. */
export function hasTemporaryDraft(key: string): boolean {
  return memory.has(key) && (readDraft(key).trim() !== '' || readDraftList(key, 'files').length > 0)
}

/** Empties a draft; one in memory stays there. */
export function clearDraft(key: string): void {
  for (const part of parts) saveDraft(key, part, undefined)
}

/** Removes a draft from memory and storage. */
export function discardDraft(key: string): void {
  memory.delete(key)
  clearDraft(key)
}

/** Removes the drafts of all users, or of all but one, from this browser. */
export function removeDrafts({ exceptUserId }: { exceptUserId?: string } = {}): void {
  const isRemoved = (key: string) => exceptUserId === undefined || !key.startsWith(`${exceptUserId}/`)
  for (const key of memory.keys()) if (isRemoved(key)) memory.delete(key)
  for (const key of listDrafts()) if (isRemoved(key)) discardDraft(key)
}

/** Removes the drafts of all existing conversations. */
export function removeConversationDrafts(): void {
  for (const key of listDrafts()) if (!key.includes(`/${newChat}`)) discardDraft(key)
}

/** The keys of all drafts that are stored or will be. */
export function listDrafts(): string[] {
  const stored = listStoredKeys('local', prefix).map((key) =>
    key.slice((Object.values(prefixes).find((one) => key.startsWith(one)) ?? prefix).length),
  )
  return [...new Set([...stored, ...unwrittenTexts.keys()])]
}

/** Stores a value; an empty one removes it. @returns whether it was stored */
function write(key: string, value: string): boolean {
  if (value !== '') return writeStored('local', key, value)
  removeStored('local', key)
  return true
}
