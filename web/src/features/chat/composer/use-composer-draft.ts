import { useEffect } from 'react'
import {
  composerDraftKey,
  composerDraftPrefix,
  hasTemporaryDraft,
  moveDraft,
} from '../../../lib/input/drafts.ts'
import { whenIdle } from '../../../lib/browser/when-idle.ts'
import { getCurrentUploadQueues } from '../attachments/upload-queues.ts'
import type { ComposerDraft } from '../state/message-queue.ts'

/**
 * The draft that this tab has of a conversation. A draft that a closed tab has left behind is adopted if this one is empty. While the draft is
 * not stored, or uploads are running, the browser asks before the page is closed.
 * @param conversationKey the id of the conversation, or a key of `lib/input/drafts.ts` for one that has not begun
 * @param options.isTemporary whether the draft must not be stored
 */
export function useComposerDraft(
  userId: string,
  conversationKey: string | undefined,
  { isTemporary }: { isTemporary: boolean },
): ComposerDraft {
  const draftKey = composerDraftKey(userId, conversationKey)
  const uploadQueues = getCurrentUploadQueues()
  const uploadQueue = uploadQueues.get(draftKey)
  useEffect(() => moveDraft(draftKey, isTemporary ? 'memory' : 'storage'), [draftKey, isTemporary])
  useEffect(() => {
    if (isTemporary) return
    const controller = new AbortController()
    const { signal } = controller
    const prefix = composerDraftPrefix(userId, conversationKey)
    void whenIdle()
      .then(() => import('./adopt-draft.ts'))
      .then(({ adoptDraft }) => adoptDraft({ draftKey, prefix, uploadQueue, signal }))
      // the draft stays, and is adopted at the next visit
      .catch(() => undefined)
    return () => controller.abort()
  }, [userId, conversationKey, draftKey, isTemporary, uploadQueue])
  useEffect(() => {
    const warnBeforeUnload = (event: BeforeUnloadEvent) => {
      if (uploadQueues.isUploading() || hasTemporaryDraft(draftKey)) event.preventDefault()
    }
    addEventListener('beforeunload', warnBeforeUnload)
    return () => removeEventListener('beforeunload', warnBeforeUnload)
  }, [uploadQueues, draftKey])
  return { draftKey, uploadQueue }
}
