import { listStoredKeys, readStored, removeStored, writeStored } from './storage.ts'

/**
 * What was typed and neither sent nor saved yet, by place. It lives here and not in the component that shows it, so that it is still there
 * when that component comes back. The beginning of a place says where its text is kept:
 *
 * - `draft:` in this browser (`drafts.ts`), unless it belongs to a chat whose drafts must not be stored
 * - `juno.entered:` in this tab. Nothing secret has such a place.
 * - any other in the page: closing it loses the text, so the browser asks
 *
 * If storage is full or blocked, a text exists as long as the page, and the browser asks, too.
 */
export const tabPrefix = 'juno.entered:'
const browserPrefix = 'draft:'
/** The user whose texts the tab has stored. */
const ownerKey = 'juno.entered-by'

/** What a place that is not the text of a composer holds. */
export interface Entry<Value = unknown> {
  value: Value
  /** the text on the server that the user began with */
  base: Value
}

/** The values of this page that are newer than the stored ones, or not stored. */
const values = new Map<string, unknown>()
/** Places of `values` that are written to storage soon: a long text is not written with every key press. */
const unwritten = new Set<string>()
const writeDelayMs = 300
let writeTimer: ReturnType<typeof setTimeout> | undefined
/** Keys of drafts that must not be stored. It says which, not why. */
export const unstorableDrafts = new Set<string>()

/** The parts of a draft, with the beginning of their places; the key of the draft follows. */
export const draftPrefixes = {
  files: `${browserPrefix}files:`,
  unacknowledged: `${browserPrefix}unsent:`,
  queue: `${browserPrefix}queue:`,
  /** a message that is being edited: `<key>#<id of the message before it>` */
  edit: `${browserPrefix}edit:`,
  // last: the other beginnings start with it
  text: browserPrefix,
}

const findPart = (place: string) => Object.values(draftPrefixes).find((part) => place.startsWith(part))

/** The key of the draft that a place belongs to; undefined for other places. */
export const findDraftKey = (place: string): string | undefined =>
  place.slice(findPart(place)?.length ?? place.length).split('#')[0] || undefined

/** Whether a place is the text of a composer, which is stored as it is and not as JSON. */
const isComposerPlace = (place: string) => findPart(place) === draftPrefixes.text

const listeners = new Set<() => void>()

/** Called when a place has changed in this page. @returns unsubscribes */
export function subscribeToInputs(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function findArea(place: string): 'session' | 'local' | undefined {
  if (place.startsWith(tabPrefix)) return 'session'
  const key = findDraftKey(place)
  return key === undefined || unstorableDrafts.has(key) ? undefined : 'local'
}

/** Whether a place outlives the page. */
export const isStored = (place: string): boolean => findArea(place) !== undefined

/** What `parseInput` parses: the same as long as the place has not changed. */
export function readRawInput(place: string): unknown {
  if (values.has(place)) return values.get(place)
  const area = findArea(place)
  return area && (readStored(area, place) ?? undefined)
}

/** @returns what a place holds, not validated; undefined without anything */
export const readInput = (place: string): unknown => parseInput(place, readRawInput(place))

/** @param raw of `readRawInput` */
export function parseInput(place: string, raw: unknown): unknown {
  if (isComposerPlace(place) || typeof raw !== 'string') return raw
  try {
    return JSON.parse(raw) as unknown
  } catch {
    return undefined
  }
}

/** Sets what a place holds; undefined removes it, from storage, too. @param isSoon stores it a little later: it changes with every key */
export function writeInput(place: string, value: unknown, isSoon = false): void {
  const area = findArea(place)
  unwritten.delete(place)
  if (value === undefined) {
    values.delete(place)
    if (area) removeStored(area, place)
  } else {
    values.set(place, value)
    if (area) unwritten.add(place)
    if (area && !isSoon) write(place)
    else if (area) writeTimer ??= setTimeout(writeInputs, writeDelayMs)
  }
  for (const listener of listeners) listener()
}

function write(place: string): void {
  const area = findArea(place)
  const value = values.get(place)
  if (!area || !writeStored(area, place, isComposerPlace(place) ? String(value) : JSON.stringify(value)))
    return
  unwritten.delete(place)
  values.delete(place)
}

/** Stores what is not stored yet. What cannot be stored stays in the page. */
export function writeInputs(): void {
  clearTimeout(writeTimer)
  writeTimer = undefined
  for (const place of unwritten) write(place)
}

addEventListener('pagehide', writeInputs)
// a hidden page may be discarded without another event
document.addEventListener('visibilitychange', writeInputs)
addEventListener('beforeunload', (event) => {
  writeInputs()
  if (unwritten.size > 0) event.preventDefault()
})

/** The places of all drafts, of this browser and of this page. */
export const listDraftPlaces = (): string[] => [
  ...new Set([...listStoredKeys('local', browserPrefix), ...values.keys()].filter(findDraftKey)),
]

/** Removes what was entered in this browser, or all but what a user who signs in has entered. */
export function removeInputs(userId?: string): void {
  const isOwner = userId !== undefined && readStored('session', ownerKey) === userId
  const isKept = (key: string) => userId !== undefined && key.startsWith(`${userId}/`)
  for (const place of [...listDraftPlaces(), ...listStoredKeys('session', tabPrefix), ...values.keys()]) {
    const key = findDraftKey(place)
    if (key === undefined ? !isOwner : !isKept(key)) writeInput(place, undefined)
  }
  for (const key of unstorableDrafts) if (!isKept(key)) unstorableDrafts.delete(key)
  if (userId !== undefined) writeStored('session', ownerKey, userId)
}
