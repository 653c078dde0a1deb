import { discardDraft, freshDraftPrefix, listDrafts, readDraft, readDraftList } from '../../../lib/drafts.ts'
import { tabLock } from '../../../lib/tab-id.ts'
import type { AttachmentQueue } from '../attachments/attachment-queue.ts'
import { isStoredFile } from '../attachments/attachment-queues.ts'
import { findComposer, setComposerText } from './composer-text.ts'

interface NewChat {
  userId: string
  /** of its own draft */
  draftKey: string
  attachmentQueue: AttachmentQueue
  /** aborted when it is not shown any more */
  signal: AbortSignal
}

/**
 * Puts what was written in the fresh chat of a tab that is closed into the one that is shown, unless something is written there
 * already: then it waits for the next one. Each draft goes to one tab.
 */
export async function adoptDraft({ userId, draftKey, attachmentQueue, signal }: NewChat): Promise<void> {
  await navigator.locks?.request('juno.adopt-draft', async () => {
    const { held = [] } = await navigator.locks.query()
    const open = new Set(held.map(({ name }) => name))
    const prefix = `${userId}/${freshDraftPrefix}`
    const abandonedKey = listDrafts().find(
      (key) => key.startsWith(prefix) && key !== draftKey && !open.has(tabLock(key.slice(prefix.length + 1))),
    )
    const composer = findComposer()
    const isEmpty = composer?.value === '' && attachmentQueue.files.getState().length === 0
    if (abandonedKey === undefined || !composer || !isEmpty || signal.aborted) return
    const text = readDraft(abandonedKey)
    if (!attachmentQueue.addStored(readDraftList(abandonedKey, 'files').filter(isStoredFile))) return
    setComposerText(composer, text, 0, 0)
    discardDraft(abandonedKey)
  })
}
