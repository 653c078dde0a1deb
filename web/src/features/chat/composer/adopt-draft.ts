import {
  discardDraft,
  newChatDraftPrefix,
  listDrafts,
  readDraft,
  readDraftList,
} from '../../../lib/drafts.ts'
import { tabLockName } from '../../../lib/tab-id.ts'
import type { UploadQueue } from '../attachments/upload-queue.ts'
import { isStoredFile } from '../attachments/upload-queues.ts'
import { findComposer, setComposerText } from './composer-text.ts'

interface NewChat {
  userId: string
  /** the key of its draft */
  draftKey: string
  uploadQueue: UploadQueue
  /** aborted when the chat is no longer shown */
  signal: AbortSignal
}

/**
 * Moves the draft of a new chat in a closed tab to the new chat that is shown. If that one has a draft, the other waits for the next new
 * chat. A lock makes sure that only one tab adopts it.
 */
export async function adoptDraft({ userId, draftKey, uploadQueue, signal }: NewChat): Promise<void> {
  await navigator.locks?.request('juno.adopt-draft', async () => {
    const { held = [] } = await navigator.locks.query()
    const openTabLocks = new Set(held.map(({ name }) => name))
    const prefix = `${userId}/${newChatDraftPrefix}`
    const abandonedKey = listDrafts().find(
      (key) =>
        key.startsWith(prefix) &&
        key !== draftKey &&
        !openTabLocks.has(tabLockName(key.slice(prefix.length + 1))),
    )
    const composer = findComposer()
    const isEmpty = composer?.value === '' && uploadQueue.files.getState().length === 0
    if (abandonedKey === undefined || !composer || !isEmpty || signal.aborted) return
    const text = readDraft(abandonedKey)
    if (!uploadQueue.addStored(readDraftList(abandonedKey, 'files').filter(isStoredFile))) return
    setComposerText(composer, text, 0, 0)
    discardDraft(abandonedKey)
  })
}
