import { listStoredKeys, readStored, removeStored, writeStored } from '../browser/storage.ts'

/*
 * Unsaved input of the user, by key. It is stored here and not in the component that shows it, so that it is still there when the component
 * is shown again. The prefix of a key decides where its value is stored:
 *
 * - `draft:` in the local storage (`drafts.ts`), unless it belongs to a chat whose drafts must not be stored
 * - `juno.entered:` in the session storage of this tab. No secret has such a key.
 * - any other key in memory: closing the page would lose the value, so `useInput` has the browser ask first, unless it is to be forgotten
 *
 * A value that cannot be stored, because the storage is full or blocked, stays in memory, and the browser asks first, too.
 */

/** The prefix of keys of this tab's session storage. */
export const tabPrefix = 'juno.entered:'
const browserPrefix = 'draft:'
/** The storage key of the user whose input this tab has stored. */
const ownerKey = 'juno.entered-by'

/** The value of a key of `useInput`: of a field, a form or a message that is being edited. */
export interface Entry<Value = unknown> {
  value: Value
  /** the value on the server when the user began to edit */
  base: Value
}

/** Values that are newer than the stored ones, or that are not stored. */
const values = new Map<string, unknown>()
/** Keys of `values` that are written to storage soon, or could not be: a long text is not written with every key press. */
const unwritten = new Set<string>()
const writeDelayMs = 300
let writeTimer: ReturnType<typeof setTimeout> | undefined
/** Keys of drafts that must not be stored, such as those of temporary chats. */
export const unstorableDrafts = new Set<string>()

/** The parts of a draft, with the beginning of their keys; the key of the draft follows. */
export const draftPrefixes = {
  files: `${browserPrefix}files:`,
  unacknowledged: `${browserPrefix}unsent:`,
  queue: `${browserPrefix}queue:`,
  /** a message that is being edited: `<key>#<id of the message before it>` */
  edit: `${browserPrefix}edit:`,
  // last: the other beginnings start with it
  text: browserPrefix,
}

const findPart = (key: string) => Object.values(draftPrefixes).find((part) => key.startsWith(part))

/** The key of the draft that a key belongs to; undefined for other keys. */
export const findDraftKey = (key: string): string | undefined =>
  key.slice(findPart(key)?.length ?? key.length).split('#')[0] || undefined

/** Whether a key is the text of a composer, which is stored as it is and not as JSON. */
const isComposerInput = (key: string) => findPart(key) === draftPrefixes.text

const listeners = new Set<() => void>()

/** Called when a key has changed in this page. @returns unsubscribes */
export function subscribeToInputs(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function findArea(key: string): 'session' | 'local' | undefined {
  if (key.startsWith(tabPrefix)) return 'session'
  const draftKey = findDraftKey(key)
  return draftKey === undefined || unstorableDrafts.has(draftKey) ? undefined : 'local'
}

/** Whether a key outlives the page. */
export const isStored = (key: string): boolean => findArea(key) !== undefined

/** @returns the value before parsing, for `parseInput`; identical as long as the value has not changed */
export function readRawInput(key: string): unknown {
  if (values.has(key)) return values.get(key)
  const area = findArea(key)
  return area && (readStored(area, key) ?? undefined)
}

/** @returns the value of a key, not validated; undefined if there is none */
export const readInput = (key: string): unknown => parseInput(key, readRawInput(key))

/** @param raw of `readRawInput` */
export function parseInput(key: string, raw: unknown): unknown {
  if (isComposerInput(key) || typeof raw !== 'string') return raw
  try {
    return JSON.parse(raw) as unknown
  } catch {
    return undefined
  }
}

/** Sets the value of a key and stores it at once; undefined removes it. */
export const writeInput = (key: string, value: unknown): void => setValue(key, value, () => write(key))

/** As `writeInput`, but stores the value a moment later: for values that change with every key press. */
export const writeInputSoon = (key: string, value: unknown): void =>
  setValue(key, value, () => {
    writeTimer ??= setTimeout(writeInputs, writeDelayMs)
  })

/** @param store called for a value that is stored outside of the page */
function setValue(key: string, value: unknown, store: () => void): void {
  const area = findArea(key)
  unwritten.delete(key)
  if (value === undefined) {
    values.delete(key)
    if (area) removeStored(area, key)
  } else {
    values.set(key, value)
    if (area) {
      unwritten.add(key)
      store()
    }
  }
  for (const listener of listeners) listener()
}

function write(key: string): void {
  const area = findArea(key)
  const value = values.get(key)
  if (!area || !writeStored(area, key, isComposerInput(key) ? String(value) : JSON.stringify(value))) return
  unwritten.delete(key)
  values.delete(key)
}

/** Stores at once what `writeInputSoon` has not stored yet. What cannot be stored stays in the page. */
export function writeInputs(): void {
  clearTimeout(writeTimer)
  writeTimer = undefined
  for (const key of unwritten) write(key)
}

addEventListener('pagehide', writeInputs)
// a hidden page may be discarded without another event
document.addEventListener('visibilitychange', writeInputs)
addEventListener('beforeunload', (event) => {
  writeInputs()
  if (unwritten.size > 0) event.preventDefault()
})

/** The keys of all drafts, of this browser and of this page. */
export const listDraftInputKeys = (): string[] => [
  ...new Set([...listStoredKeys('local', browserPrefix), ...values.keys()].filter(findDraftKey)),
]

/**
 * Removes all drafts of this browser, and the other input of this tab.
 * @param userId of a user who signs in: their own drafts stay, and the rest if it is theirs
 */
export function removeInputs(userId?: string): void {
  const isOwner = userId !== undefined && readStored('session', ownerKey) === userId
  const isKept = (draftKey: string) => userId !== undefined && draftKey.startsWith(`${userId}/`)
  for (const key of [...listDraftInputKeys(), ...listStoredKeys('session', tabPrefix), ...values.keys()]) {
    const draftKey = findDraftKey(key)
    if (draftKey === undefined ? !isOwner : !isKept(draftKey)) writeInput(key, undefined)
  }
  for (const draftKey of unstorableDrafts) if (!isKept(draftKey)) unstorableDrafts.delete(draftKey)
  if (userId !== undefined) writeStored('session', ownerKey, userId)
}
