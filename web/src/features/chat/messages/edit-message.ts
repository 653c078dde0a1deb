import { editInputKey } from '../../../lib/drafts.ts'
import { listDraftInputKeys, readInput, readRawInput, writeInput, type Entry } from '../../../lib/inputs.ts'
import { openInput } from '../../../lib/use-input.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import type { ConversationState } from '../state/conversation-state.ts'

/**
 * Where the text of a message that is being edited is kept. It is known by the user message before it: a new version of the message,
 * such as for another reply, goes on with the text.
 * @param messages the loaded ones
 * @param hasEarlier whether there are earlier ones
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
  // until the one before it is loaded, and as long as the editor is open
  const ownKey = editInputKey(draftKey, `this ${id}`)
  const isOwn = readRawInput(ownKey) !== undefined || (previousId === undefined && hasEarlier)
  return isOwn ? ownKey : editInputKey(draftKey, previousId)
}

let focusedKey: string | undefined

/** Opens the editor of a message, and closes those in which nothing was changed. */
export function openEditor(inputKey: string, { content }: ChatMessage): void {
  const [ofConversation = inputKey] = inputKey.split('#')
  for (const other of listDraftInputKeys()) {
    if (other === inputKey || !other.startsWith(`${ofConversation}#`)) continue
    const { value, base } = Object(readInput(other)) as Partial<Entry>
    if (value === base) writeInput(other, undefined)
  }
  focusedKey = inputKey
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

/** @returns whether an editor that appears was opened by the user just now. One that was open before leaves the focus where it is. */
export function takeFocus(inputKey: string): boolean {
  const isFocused = inputKey === focusedKey
  if (isFocused) focusedKey = undefined
  return isFocused
}
