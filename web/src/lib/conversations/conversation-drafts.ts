import {
  clearDraft,
  composerDraftKey,
  composerDraftPrefix,
  conversationDraftKey,
  discardDraft,
  listDrafts,
  listInputKeys,
  moveDraft,
  newChat,
  type DraftLocation,
} from '../input/drafts.ts'
import { draftPrefixes, readInput, unstorableDrafts, writeInput } from '../input/inputs.ts'

/** The keys of all drafts of a conversation: of what it has to send, and of its composers in this tab and in others. */
const listConversationDrafts = (userId: string, conversationId: string): string[] => [
  ...new Set([
    conversationDraftKey(userId, conversationId),
    composerDraftKey(userId, conversationId),
    ...[...listDrafts(), ...unstorableDrafts].filter((key) =>
      key.startsWith(composerDraftPrefix(userId, conversationId)),
    ),
  ]),
]

/** Moves all drafts of a conversation, also those of other tabs. */
export function moveConversationDrafts(userId: string, conversationId: string, to: DraftLocation): void {
  for (const key of listConversationDrafts(userId, conversationId)) moveDraft(key, to)
}

/** Empties all drafts of a conversation; those in memory stay there. */
export function clearConversationDrafts(userId: string, conversationId: string): void {
  for (const key of listConversationDrafts(userId, conversationId)) clearDraft(key)
}

/** Moves the messages that are being edited to another draft, but for those that are edited there, too. */
export function moveEdits(from: string, to: string): void {
  for (const inputKey of listInputKeys(from).filter((each) => each.startsWith(draftPrefixes.edit))) {
    const target = draftPrefixes.edit + to + inputKey.slice(draftPrefixes.edit.length + from.length)
    if (readInput(target) !== undefined) continue
    writeInput(target, readInput(inputKey))
    writeInput(inputKey, undefined)
  }
}

/** Removes the stored drafts of all conversations, and leaves those of chats that have not started. */
export function removeConversationDrafts(): void {
  for (const key of listDrafts()) if (!key.includes(`/${newChat}`)) discardDraft(key)
}
