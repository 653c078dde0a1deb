import type { Attachment } from '#shared/contracts/files.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { createStore, type Store } from '../../../lib/create-store.ts'
import { isDraftTemporary, readDraftList, saveDraft } from '../../../lib/drafts.ts'
import { isStoredFile, withoutLinks } from '../attachments/attachment-queues.ts'
import { retryableMessage, type ChatState } from './chat-state.ts'
import type { Conversation } from './conversation.ts'
import { activeReply } from './pending-reply.ts'

/** A message that waits for the end of a reply. */
export interface QueuedMessage {
  /** it is sent under this id: two tabs that send it at the same time send one message */
  id: string
  text: string
  attachments: readonly Attachment[]
}

/** The messages of a conversation that wait for the end of its reply, first in, first out. They are stored with its draft. */
export interface MessageQueue {
  readonly messages: Store<readonly QueuedMessage[]>
  /** @returns false when the queue is full */
  add: (text: string, attachments: readonly Attachment[]) => boolean
  remove: (id: string) => void
  /** Sends the first message, after stopping a reply that waits for the user. @returns false when that was not possible */
  sendNow: () => Promise<boolean>
  /** Reads what is stored again: another tab, or a deletion, has changed it. */
  refresh: () => void
}

/** How many messages can wait. */
export const maxQueuedMessages = 10

/**
 * Sends the messages that wait, one after each reply that is finished as a whole. After any other end they stay.
 * @param draftKey names the user and the conversation
 */
export function createMessageQueue(conversation: Conversation, draftKey: string): MessageQueue {
  const read = () => readDraftList(draftKey, 'queue').filter(isQueuedMessage)
  const messages = createStore<readonly QueuedMessage[]>(read())
  const save = (next: readonly QueuedMessage[]) => {
    saveDraft(draftKey, 'queue', next)
    messages.setState(next)
  }
  const sendFirst = () => {
    // another tab may have sent it
    const [first, ...others] = read()
    if (first && conversation.send(first.text, first.attachments, true, first.id)) save(others)
  }

  const findPending = () => activeReply(conversation.getState().pending)?.messageId
  let pending = findPending()
  let isWanted = false
  conversation.subscribe(() => {
    const before = pending
    pending = findPending()
    if (before === undefined || pending !== undefined) return
    const state = conversation.getState()
    // a draft of a stored chat is in the memory alone while the chat is being deleted
    const isDeleted = state.isSaved && isDraftTemporary(draftKey)
    const isAnswered = endsWhole(state) && state.messages.some(({ id }) => id === before)
    const isDue = isWanted || (isAnswered && !isDeleted)
    isWanted = false
    if (isDue) sendFirst()
  })

  return {
    messages,
    add(text, attachments) {
      const waiting = read()
      if (waiting.length >= maxQueuedMessages) return false
      const message = {
        id: crypto.randomUUID(),
        text: text.trim(),
        attachments: attachments.map(withoutLinks),
      }
      save([...waiting, message])
      return true
    },
    remove: (id) => save(read().filter((message) => message.id !== id)),
    async sendNow() {
      if (conversation.getState().isLoading) {
        isWanted = true
        const isStopping = await conversation.stop()
        if (!isStopping) isWanted = false
        return isStopping
      }
      sendFirst()
      return true
    },
    refresh: () => messages.setState(read()),
  }
}

/** Whether the conversation ends with a whole reply: it did not fail, and nobody has stopped it. */
export function endsWhole(state: ChatState): boolean {
  const last = state.messages.at(-1)
  return (
    state.error === null &&
    !retryableMessage(state) &&
    last?.ended === undefined &&
    last?.content !== stoppedLine
  )
}

function isQueuedMessage(value: unknown): value is QueuedMessage {
  if (typeof value !== 'object' || value === null) return false
  const { id, text, attachments } = value as Record<string, unknown>
  return (
    typeof id === 'string' &&
    typeof text === 'string' &&
    Array.isArray(attachments) &&
    attachments.every(isStoredFile)
  )
}
