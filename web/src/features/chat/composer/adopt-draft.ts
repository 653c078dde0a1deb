import { moveEdits } from '../../../lib/conversations/conversation-drafts.ts'
import { discardDraft, listDrafts, readDraft, readDraftList } from '../../../lib/input/drafts.ts'
import { tabLockName } from '../../../lib/browser/tab-id.ts'
import type { UploadQueue } from '../attachments/upload-queue.ts'
import { readSavedFiles } from '../attachments/upload-queues.ts'
import { findComposer, setComposerText } from '../../../lib/input/composer-text.ts'

/** One tab at a time adopts. */
const adoptionLock = 'juno.adopt-draft'

/** The composer that adopts a draft. */
interface ShownComposer {
  draftKey: string
  /** the start of the keys of other tabs' drafts of the same conversation */
  prefix: string
  uploadQueue: UploadQueue
  /** aborted when the conversation is no longer shown */
  signal: AbortSignal
}

/**
 * Moves the draft that a closed tab has left of the conversation to the composer that is shown. If that one is not empty, the draft stays for
 * another time. Messages that were being edited move in any case. A lock makes sure that only one tab adopts; a browser without locks adopts
 * nothing.
 */
export async function adoptDraft({ draftKey, prefix, uploadQueue, signal }: ShownComposer): Promise<void> {
  await navigator.locks?.request(adoptionLock, async () => {
    const { held = [] } = await navigator.locks.query()
    const openTabLocks = new Set(held.map(({ name }) => name))
    const abandonedKeys = listDrafts().filter(
      (key) =>
        key.startsWith(prefix) &&
        key !== draftKey &&
        !openTabLocks.has(tabLockName(key.slice(prefix.length))),
    )
    if (signal.aborted) return
    for (const key of abandonedKeys) moveEdits(key, draftKey)
    const abandonedKey = abandonedKeys.find(
      (key) => readDraft(key) !== '' || readDraftList(key, 'files').length > 0,
    )
    const composer = findComposer()
    const isEmpty = composer?.value === '' && uploadQueue.files.getState().length === 0
    if (abandonedKey === undefined || !composer || !isEmpty) return
    const text = readDraft(abandonedKey)
    if (!uploadQueue.addSaved(readSavedFiles(abandonedKey))) return
    setComposerText(composer, text, 0, 0)
    discardDraft(abandonedKey)
  })
}
