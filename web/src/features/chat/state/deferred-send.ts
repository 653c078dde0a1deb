import type { Attachment } from '#shared/contracts/files.ts'
import { maxMessageCharacters } from '#shared/limits.ts'
import { createStore, type Store } from '../../../lib/create-store.ts'
import { readDraft, saveDraft } from '../../../lib/drafts.ts'
import { findSendBlocker } from '../attachments/send-blocker.ts'
import { findStored, type UploadQueue } from '../attachments/upload-queue.ts'
import { trimMessage } from '../trim-message.ts'
import type { Conversation } from './conversation.ts'
import { notifyTooLong } from './chat-toasts.ts'

/** Where the text and the files of a composer are. */
export interface ComposerDraft {
  /** identifies the user and the conversation (or the new chat, or the page of a project or an assistant) in the stored drafts */
  draftKey: string
  /** the files of the same draft */
  uploadQueue: UploadQueue
}

/** Sends a message later, as soon as the uploads of its files are finished. */
export interface DeferredSend {
  /** whether a draft waits for its uploads */
  readonly isAwaitingUploads: Store<boolean>
  /**
   * Sends the draft when its uploads are finished, with the text that it has by then, also if another conversation is shown by then. A failed
   * upload cancels it.
   * @param draft undefined cancels
   */
  sendAfterUploads: (draft: ComposerDraft | undefined) => void
}

/** Defers the message of a user who pressed Send while its files were being uploaded. */
export function createDeferredSend({
  conversation,
  submit,
  isDeleting,
}: {
  conversation: Pick<Conversation, 'getState'>
  /** @returns false if the draft stays in the composer */
  submit: (text: string, attachments: readonly Attachment[]) => boolean
  isDeleting: () => boolean
}): DeferredSend {
  const isAwaitingUploads = createStore(false)
  let stopAwaiting = () => {}
  /** Sends the draft, or leaves it in the composer if it cannot be sent. */
  const sendDraft = ({ draftKey, uploadQueue }: ComposerDraft) => {
    const { loadStatus } = conversation.getState()
    // after a sign-out nothing is sent; and the id of a deleted conversation is not used again
    if (uploadQueue.signal.aborted || isDeleting() || loadStatus === 'missing') return
    const text = readDraft(draftKey)
    if (trimMessage(text).length > maxMessageCharacters) return notifyTooLong()
    const attachments = findStored(uploadQueue.files.getState())
    if (text.trim() === '' && attachments.length === 0) return
    if (!submit(text, attachments)) return
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
