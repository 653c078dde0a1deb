import type { Attachment } from '#shared/contracts/files.ts'
import { createStore, type Store } from '../../../lib/browser/create-store.ts'
import { readDraft, readDraftList, saveDraft } from '../../../lib/input/drafts.ts'
import { findSendBlocker } from '../attachments/send-blocker.ts'
import { findStored, type UploadQueue } from '../attachments/upload-queue.ts'
import { isStoredFile, withoutLinks } from '../attachments/upload-queues.ts'
import { refuseTooLong, trimMessage } from '../trim-message.ts'
import { findRetryableMessage, type ConversationState } from './conversation-state.ts'
import type { Conversation } from './conversation.ts'
import { getActiveReply } from './pending-reply.ts'

/** A message that is sent when the current reply is complete. */
export interface QueuedMessage {
  /** also the id of the sent message: two tabs that send it create one message */
  id: string
  text: string
  attachments: readonly Attachment[]
}

/** Where the text and the files of a composer are. */
export interface ComposerDraft {
  /** identifies the user and the conversation (or the new chat, or the page of a project or an assistant) in the stored drafts */
  draftKey: string
  /** the files of the same draft */
  uploadQueue: UploadQueue
}

/** The messages of a conversation that are sent later. Those in the queue are stored with its draft, first in, first out. */
export interface MessageQueue {
  readonly messages: Store<readonly QueuedMessage[]>
  /** @returns false when the queue is full */
  add: (text: string, attachments: readonly Attachment[]) => boolean
  remove: (id: string) => void
  /** Sends the first message, after it has stopped a pending reply. @returns false when stopping failed */
  sendNow: () => Promise<boolean>
  /** Reloads from storage after a change by another tab or a deletion. */
  refresh: () => void
  /** whether a draft waits for its uploads */
  readonly isAwaitingUploads: Store<boolean>
  /**
   * Sends the draft when its uploads are finished, with the text that it has by then, also if another conversation is shown by then. A failed
   * upload cancels it.
   * @param draft undefined cancels
   */
  sendAfterUploads: (draft: ComposerDraft | undefined) => void
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
  conversation: Pick<Conversation, 'getState' | 'subscribe' | 'send' | 'submit' | 'stop'>,
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

  return {
    messages,
    ...createDeferredSend(conversation, isDeleting),
    add,
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

/** Defers the message of a user who pressed Send while its files were being uploaded. */
function createDeferredSend(
  conversation: Pick<Conversation, 'getState' | 'submit'>,
  isDeleting: () => boolean,
): Pick<MessageQueue, 'isAwaitingUploads' | 'sendAfterUploads'> {
  const isAwaitingUploads = createStore(false)
  let stopAwaiting = () => {}
  /** Sends the draft, or leaves it in the composer if it cannot be sent. */
  const sendDraft = ({ draftKey, uploadQueue }: ComposerDraft) => {
    const { loadStatus } = conversation.getState()
    // after a sign-out nothing is sent; and the id of a deleted conversation is not used again
    if (uploadQueue.signal.aborted || isDeleting() || loadStatus === 'missing') return
    const text = readDraft(draftKey)
    if (refuseTooLong(text)) return
    const attachments = findStored(uploadQueue.files.getState())
    if (text.trim() === '' && attachments.length === 0) return
    if (!conversation.submit(text, attachments)) return
    uploadQueue.clear()
    saveDraft(draftKey, 'text', '')
  }
  const sendAfterUploads = (draft: ComposerDraft | undefined) => {
    stopAwaiting()
    isAwaitingUploads.setState(draft !== undefined)
    if (!draft) return
    const { files } = draft.uploadQueue
    stopAwaiting = files.subscribe(() => {
      const blocker = findSendBlocker(files.getState())
      if (blocker?.isUploading) return
      sendAfterUploads(undefined)
      if (!blocker) sendDraft(draft)
    })
  }

  return { isAwaitingUploads, sendAfterUploads }
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
