import {
  draftPrefixes,
  findDraftKey,
  listDraftInputKeys,
  readInput,
  unstorableDrafts,
  writeInput,
  writeInputSoon,
} from './inputs.ts'
import { tabId } from '../browser/tab-id.ts'

/*
 * Which inputs belong to a conversation. What is written in a composer (text, files, edited messages) belongs to one tab, so that two tabs
 * of a conversation neither overwrite nor delete each other's: its key is `<user id>/<conversation id>:<tab>`. For a chat that has not
 * started, `fresh` stands in place of the conversation, or `fresh.<id>` on the page of a project or an assistant. What a conversation still
 * has to send (queued messages, the messages that were not acknowledged) belongs to all tabs: `<user id>/<conversation id>`. Drafts of
 * temporary chats are not stored.
 */

/** The parts of a draft that are one value; there may be several edited messages. */
type Part = Exclude<keyof typeof draftPrefixes, 'edit'>
/** Stands for the conversation in the drafts of chats that have not started. */
export const newChat = 'fresh'
/** Stands for the chat that begins on the page of a project or of an assistant. */
export const pageDraft = (id: string): string => `${newChat}.${id}`

/** The key of what a conversation still has to send, in all tabs. */
export const conversationDraftKey = (userId: string, conversationId: string): string =>
  `${userId}/${conversationId}`

/** The start of the keys of what composers hold, in all tabs. @param conversationId absent in a chat that has not started */
export const composerDraftPrefix = (userId: string, conversationId: string = newChat): string =>
  `${conversationDraftKey(userId, conversationId)}:`

/** The key of what the composer of this tab holds. @param conversationId absent in a chat that has not started */
export const composerDraftKey = (userId: string, conversationId?: string): string =>
  composerDraftPrefix(userId, conversationId) + tabId

/** The key of a composer's text. */
export const composerInputKey = (key: string): string => draftPrefixes.text + key

/** The key of a message that is being edited: of any version that follows the same message. @param previousId undefined for the first */
export const editInputKey = (key: string, previousId: string | undefined): string =>
  `${draftPrefixes.edit}${key}#${previousId ?? ''}`

/** Whether a storage key belongs to queued messages. */
export const isQueueKey = (key: string | null): boolean => key?.startsWith(draftPrefixes.queue) ?? false

/** @returns the text of a draft, empty when there is none */
export function readDraft(key: string): string {
  const text = readInput(composerInputKey(key))
  return typeof text === 'string' ? text : ''
}

/** @returns a part of a draft as it was stored; the caller validates it */
export const readDraftPart = (key: string, part: Exclude<Part, 'text'>): unknown =>
  readInput(draftPrefixes[part] + key) ?? null

/** @returns a list of a draft, empty when there is none; the caller validates its entries */
export function readDraftList(key: string, part: 'files' | 'queue'): readonly unknown[] {
  const value = readDraftPart(key, part)
  return Array.isArray(value) ? value : []
}

/** Stores a part of a draft, a text soon; an empty value removes it at once. */
export function saveDraft(key: string, part: Part, value: unknown): void {
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0)
  const write = part === 'text' ? writeInputSoon : writeInput
  write(draftPrefixes[part] + key, isEmpty ? undefined : value)
}

/** The keys of the inputs of a draft that have a value. */
export const listInputKeys = (key: string) =>
  listDraftInputKeys().filter((inputKey) => findDraftKey(inputKey) === key)

/** Where a draft is: only in this page, or in the browser's storage, which outlives the page. */
export type DraftLocation = 'memory' | 'storage'

/** Moves a draft, with all its parts. One that is moved into memory is removed from storage, and is not written there again. */
export function moveDraft(key: string, to: DraftLocation): void {
  const isInMemory = to === 'memory'
  if (isInMemory === unstorableDrafts.has(key)) return
  const values = listInputKeys(key).map((inputKey) => [inputKey, readInput(inputKey)] as const)
  discardDraft(key)
  if (isInMemory) unstorableDrafts.add(key)
  for (const [inputKey, value] of values) writeInput(inputKey, value)
}

/** Whether closing the page would lose a text or files of the composer. `useInput` asks about the messages that are being edited. */
export function hasTemporaryDraft(key: string): boolean {
  return unstorableDrafts.has(key) && (readDraft(key).trim() !== '' || readDraftList(key, 'files').length > 0)
}

/** Empties a draft; one in memory stays there. */
export function clearDraft(key: string): void {
  for (const inputKey of listInputKeys(key)) writeInput(inputKey, undefined)
}

/** Removes a draft from memory and storage. */
export function discardDraft(key: string): void {
  clearDraft(key)
  unstorableDrafts.delete(key)
}

/** The keys of all drafts that are stored or will be. */
export const listDrafts = (): string[] =>
  [...new Set(listDraftInputKeys().flatMap((inputKey) => findDraftKey(inputKey) ?? []))].filter(
    (key) => !unstorableDrafts.has(key),
  )
