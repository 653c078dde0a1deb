import type { Attachment } from '#shared/contracts/files.ts'
import { maxMessageCharacters } from '#shared/limits.ts'
import { createStore, type Store } from '../../../lib/create-store.ts'
import { readDraft, saveDraft } from '../../../lib/drafts.ts'
import { findSendBlocker } from '../attachments/send-blocker.ts'
import { findStored, type UploadQueue } from '../attachments/upload-queue.ts'
import type { Conversation } from './conversation.ts'
import { notifyTooLong } from './notices.ts'

/** What a composer holds. */
interface ComposerDraft {
  draftKey: string
  uploadQueue: UploadQueue
}

/** A draft that was sent before its uploads were finished. */
export interface UploadWait {
  /** Whether what the composer holds is sent when its uploads are finished. */
  readonly isAwaitingUploads: Store<boolean>
  /** Sends what the composer holds when its uploads are finished, whatever is shown by then. @param draft undefined cancels it */
  sendAfterUploads: (draft: ComposerDraft | undefined) => void
}

/** Sends a message that was sent while its files were being uploaded, once they are there. @param submit sends it */
export function createUploadWait({
  conversation,
  submit,
  isDeleting,
}: {
  conversation: Pick<Conversation, 'getState'>
  /** @returns false if the draft stays in the composer */
  submit: (text: string, attachments: readonly Attachment[]) => boolean
  isDeleting: () => boolean
}): UploadWait {
  const isAwaitingUploads = createStore(false)
  let stopAwaiting = () => {}
  /** What cannot be sent stays in the composer. */
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
