import { createStore } from '../../../lib/create-store.ts'
import { clearDraft, composerDraftKey, conversationDraftKey, discardDraft } from '../../../lib/drafts.ts'
import { getCurrentUploadQueues } from '../attachments/upload-queues.ts'
import { chatApi } from '../stream/chat-api.ts'
import type { Conversation } from './conversation.ts'

/**
 * The new chat, which has no address: it is empty or temporary. A temporary one ends in every way of leaving it.
 * @param conversations the open conversations, from which it is removed at its end
 */
export function createNewChat(conversations: Map<string, Conversation>, userId: string) {
  const id = createStore<string>(crypto.randomUUID())
  const find = () => conversations.get(id.getState())
  const endTemporary = () => {
    const chat = find()
    if (!chat?.getState().isTemporary) return
    endTemporaryChat(chat, userId)
    conversations.delete(chat.id)
  }
  /** @param nextId by default of a chat that does not exist yet */
  const replace = (nextId: string = crypto.randomUUID()) => {
    endTemporary()
    id.setState(nextId)
  }
  // the browser may keep the page as it is and show it again (back/forward cache)
  const leavePage = () => {
    if (find()?.getState().isTemporary) replace()
  }
  addEventListener('pagehide', leavePage)
  return {
    id,
    find,
    replace,
    close() {
      endTemporary()
      removeEventListener('pagehide', leavePage)
    },
  }
}

/** Ends a temporary chat, and removes all traces of it: its reply, its messages, its files and its drafts. */
function endTemporaryChat(chat: Conversation, userId: string): void {
  const { id } = chat
  // while its reply waits for the user, the service stores the chat
  if (chat.getState().isReplying) void chatApi.stop(id, undefined, { keepalive: true }).catch(() => undefined)
  chat.close()
  chat.dispose()
  for (const key of [composerDraftKey(userId, id), composerDraftKey(userId)]) {
    getCurrentUploadQueues().discard(key)
    // cleared rather than discarded: the next chat has the same key, and may be temporary, too
    clearDraft(key)
  }
  discardDraft(composerDraftKey(userId, id))
  discardDraft(conversationDraftKey(userId, id))
}
