import type { Attachment } from '#shared/contracts/files.ts'
import { createStore, type Store } from '../../../lib/create-store.ts'
import { readDraftList, saveDraft } from '../../../lib/drafts.ts'
import { isStoredFile, withoutLinks } from '../attachments/upload-queues.ts'
import { trimMessage } from '../trim-message.ts'
import { findRetryableMessage, type ConversationState } from './conversation-state.ts'
import type { Conversation } from './conversation.ts'
import { createDeferredSend, type DeferredSend } from './deferred-send.ts'
import { getActiveReply } from './pending-reply.ts'

/** A message that is sent when the current reply is complete. */
export interface QueuedMessage {
  /** also the id of the sent message: two tabs that send it create one message */
  id: string
  text: string
  attachments: readonly Attachment[]
}

/** The queued messages of a conversation, first in, first out. Stored with its draft. */
export interface MessageQueue extends DeferredSend {
  readonly messages: Store<readonly QueuedMessage[]>
  /** @returns false when the queue is full */
  add: (text: string, attachments: readonly Attachment[]) => boolean
  /** Sends a message, or queues it while a reply is pending. @returns false when it was neither sent nor queued */
  submit: (text: string, attachments?: readonly Attachment[]) => boolean
  remove: (id: string) => void
  /** Sends the first message, after it has stopped a pending reply. @returns false when stopping failed */
  sendNow: () => Promise<boolean>
  /** Reloads from storage after a change by another tab or a deletion. */
  refresh: () => void
}

/** How many messages a conversation can have in its queue. */
export const maxQueuedMessages = 10

/**
 * Creates the queue of a conversation. It sends one message after each complete reply; after any other end of a reply they stay queued, unless
 * the user has pressed Send now.
 * @param draftKey identifies the user and the conversation
 * @param isDeleting whether the conversation is being deleted, which can be undone
 */
export function createMessageQueue(
  conversation: Pick<Conversation, 'getState' | 'subscribe' | 'send' | 'stop'>,
  draftKey: string,
  isDeleting: () => boolean,
): MessageQueue {
  const read = () => readDraftList(draftKey, 'queue').filter(isQueuedMessage)
  const messages = createStore<readonly QueuedMessage[]>(read())
  const save = (next: readonly QueuedMessage[]) => {
    saveDraft(draftKey, 'queue', next)
    messages.setState(next)
  }
  const sendFirst = () => {
    // another tab may have sent it
    const [first, ...others] = read()
    if (first && conversation.send(first.text, first.attachments, first.id)) save(others)
  }

  const getPendingMessageId = () => getActiveReply(conversation.getState().pending)?.messageId
  let pendingMessageId = getPendingMessageId()
  let isSendRequested = false
  conversation.subscribe(() => {
    const previousMessageId = pendingMessageId
    pendingMessageId = getPendingMessageId()
    if (previousMessageId === undefined || pendingMessageId !== undefined) return
    const state = conversation.getState()
    const isReplyKept = isReplyComplete(state) && state.messages.some(({ id }) => id === previousMessageId)
    const shouldSend = isSendRequested || (isReplyKept && !isDeleting())
    isSendRequested = false
    if (shouldSend) sendFirst()
  })

  const add = (text: string, attachments: readonly Attachment[]) => {
    const queuedMessages = read()
    if (queuedMessages.length >= maxQueuedMessages) return false
    const message = {
      id: crypto.randomUUID(),
      text: trimMessage(text),
      attachments: attachments.map(withoutLinks),
    }
    save([...queuedMessages, message])
    return true
  }

  const submit = (text: string, attachments: readonly Attachment[] = []) =>
    conversation.getState().isReplying ? add(text, attachments) : conversation.send(text, attachments)

  return {
    messages,
    ...createDeferredSend({ conversation, submit, isDeleting }),
    add,
    submit,
    remove: (id) => save(read().filter((message) => message.id !== id)),
    async sendNow() {
      if (conversation.getState().isReplying) {
        isSendRequested = true
        const isStopping = await conversation.stop()
        if (!isStopping) isSendRequested = false
        return isStopping
      }
      sendFirst()
      return true
    },
    refresh: () => messages.setState(read()),
  }
}

/** Whether the last reply is complete: it did not fail, was not stopped and reached no limit. */
export function isReplyComplete(state: ConversationState): boolean {
  return state.error === null && !findRetryableMessage(state) && state.messages.at(-1)?.ended === undefined
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
