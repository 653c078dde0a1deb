import { editInputKey } from '../../../lib/input/drafts.ts'
import {
  listDraftInputKeys,
  readInput,
  readRawInput,
  writeInput,
  type Entry,
} from '../../../lib/input/inputs.ts'
import { openInput } from '../../../lib/input/use-input.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import type { ConversationState } from '../state/conversation-state.ts'

/**
 * Finds the key under which the text of a message is stored while it is edited. The key names the user message before it, so that a new version
 * of the message, such as for another reply, has the same text in its editor.
 * @param messages the loaded messages
 * @param hasEarlier whether there are messages before the loaded ones
 */
export function findEditInputKey(
  draftKey: string,
  { messages, hasEarlier }: { messages: readonly ChatMessage[]; hasEarlier: boolean },
  { id }: ChatMessage,
): string {
  const before = messages.slice(
    0,
    messages.findIndex((message) => message.id === id),
  )
  const previousId = before.findLast(({ role }) => role === 'user')?.id
  // it names the message itself while the one before is not loaded, and afterwards as long as this editor stays open
  const ownKey = editInputKey(draftKey, `this ${id}`)
  const isOwn = readRawInput(ownKey) !== undefined || (previousId === undefined && hasEarlier)
  return isOwn ? ownKey : editInputKey(draftKey, previousId)
}

/** The editor that was opened and has not taken the focus yet. */
let keyToFocus: string | undefined

/** Opens the editor of a message, and closes those in which nothing was changed. */
export function openEditor(inputKey: string, { content }: ChatMessage): void {
  // a key is that of the draft, `#` and an id (`editInputKey`)
  const [conversationPrefix = inputKey] = inputKey.split('#')
  for (const other of listDraftInputKeys()) {
    if (other === inputKey || !other.startsWith(`${conversationPrefix}#`)) continue
    // storage may hold anything
    const { value, base } = Object(readInput(other)) as Partial<Entry>
    if (value === base) writeInput(other, undefined)
  }
  keyToFocus = inputKey
  openInput(inputKey, content)
}

/** Opens the editor of the last message of the user, unless a reply is pending. */
export function editLastMessage(
  { messages, isReplying, previousCursor }: ConversationState,
  draftKey: string,
): void {
  const last = messages.findLast(({ role }) => role === 'user')
  if (isReplying || !last) return
  openEditor(findEditInputKey(draftKey, { messages, hasEarlier: previousCursor !== null }, last), last)
}

/**
 * Says once whether an editor that is mounted was opened by the user just now and so takes the focus. One that was open before, and is only
 * shown again, does not.
 */
export function consumeFocusRequest(inputKey: string): boolean {
  const isRequested = inputKey === keyToFocus
  if (isRequested) keyToFocus = undefined
  return isRequested
}
