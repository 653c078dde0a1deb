import type { Attachment } from '#shared/contracts/files.ts'
import { readDraftList, saveDraft } from '../../../lib/drafts.ts'
import { onAuthEvent } from '../../../lib/auth-events.ts'
import { createTray, type Tray } from './tray.ts'

/** The trays of the drafts that the page has met, so that uploads go on while another conversation, or another page, is shown. */
export interface Trays {
  /** @param draftKey names the user and the conversation */
  get: (draftKey: string) => Tray
  /** Ends the uploads of a draft and forgets its files. */
  discard: (draftKey: string) => void
  isUploading: () => boolean
}

/** Loads with the first file. */
const upload = async (file: File, onProgress: (share: number) => void, signal: AbortSignal) => {
  const { uploadFile } = await import('./upload-file.ts')
  return uploadFile(file, onProgress, signal)
}

let ofThisUser: Trays | undefined

/** The trays of whoever is signed in; signing out ends their uploads and forgets them. */
export function currentTrays(): Trays {
  if (ofThisUser) return ofThisUser
  const trays = createTrays()
  ofThisUser = trays
  const stop = onAuthEvent((event) => {
    if (event !== 'ended' && event !== 'signed-out') return
    stop()
    trays.closeAll()
    ofThisUser = undefined
  })
  return trays
}

function createTrays(): Trays & { closeAll: () => void } {
  const known = new Map<string, Tray>()
  return {
    get(draftKey) {
      const met = known.get(draftKey)
      if (met) return met
      // one composer is shown at a time: nobody has an empty one any more
      for (const [key, { files }] of known) if (files.getState().length === 0) known.delete(key)
      const tray = createTray({
        upload,
        restored: readDraftList(draftKey, 'files').filter(isStoredFile),
        onStored: (attachments) => saveDraft(draftKey, 'files', attachments.map(withoutLinks)),
      })
      known.set(draftKey, tray)
      return tray
    },
    discard(draftKey) {
      known.get(draftKey)?.close()
      known.delete(draftKey)
    },
    closeAll() {
      for (const tray of known.values()) tray.close()
      known.clear()
    },
    isUploading: () =>
      [...known.values()].some((tray) =>
        tray.files.getState().some(({ status }) => status !== 'ready' && status !== 'failed'),
      ),
  }
}

/** Links expire; they are made anew when they are needed. */
export function withoutLinks({ id, name, type, size }: Attachment): Attachment {
  return { id, name, type, size }
}

/** Whether what was read from the browser's storage names a file. */
export function isStoredFile(value: unknown): value is Attachment {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, type, size } = value as Record<string, unknown>
  return (
    typeof id === 'string' && typeof name === 'string' && typeof type === 'string' && typeof size === 'number'
  )
}
