import type { Attachment } from '#shared/contracts/files.ts'
import { maxMessageCharacters } from '#shared/limits.ts'
import { createStore, type Store } from '../../../lib/create-store.ts'
import { readDraft, saveDraft } from '../../../lib/drafts.ts'
import { findSendBlocker } from '../attachments/send-blocker.ts'
import { findStored, type UploadQueue } from '../attachments/upload-queue.ts'
import type { Conversation } from './conversation.ts'
import { notifyTooLong } from './chat-toasts.ts'

/** The draft of a composer, and the uploads of its files. */
interface ComposerDraft {
  draftKey: string
  uploadQueue: UploadQueue
}

/** Sends a draft as soon as its uploads are finished. */
export interface DeferredSend {
  /** whether a draft waits for its uploads */
  readonly isAwaitingUploads: Store<boolean>
  /**
   * Sends the draft, as it is by then, when its uploads are finished, also if another conversation is shown. A failed upload cancels it.
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
    // the id of a deleted conversation is not used again
    if (uploadQueue.signal.aborted || isDeleting() || loadStatus === 'missing') return
    const text = readDraft(draftKey)
    if (text.trim().length > maxMessageCharacters) return notifyTooLong()
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
