import { showToast } from '../../../components/ui/toast.ts'
import type { ChosenFile, UploadQueue } from './upload-queue.ts'
import * as texts from './texts.ts'

/** A longer pasted text becomes a file, so that the conversation stays readable. */
export const longPasteCharacters = 8_000
const maxNamedFiles = 3

/** Attaches files. A toast lists the rejected ones with reasons. @returns whether there were none */
export function attachFiles(queue: UploadQueue, files: readonly ChosenFile[]): boolean {
  const rejectedFiles = queue.add(files)
  if (rejectedFiles.length === 0) return true
  const reasons = rejectedFiles
    .slice(0, maxNamedFiles)
    .map(({ name, reason }) => `${truncate(name)}: ${reason}`)
  const more = rejectedFiles.length - reasons.length
  showToast('error', texts.notAttached(rejectedFiles.length), {
    id: 'files-refused',
    description: [...reasons, ...(more > 0 ? [texts.andMore(more)] : []), `${texts.fileLimits}.`].join(' '),
  })
  return false
}

/**
 * Attaches a long text as a file.
 * @param onKeepText inserts it as text instead
 */
export function attachPastedText(queue: UploadQueue, text: string, onKeepText: () => void): void {
  const file = new File([text], createPastedFileName(queue), { type: 'text/plain' })
  const before = new Set(queue.files.getState().map(({ key }) => key))
  attachFiles(queue, [file])
  const addedFile = queue.files.getState().find(({ key }) => !before.has(key))
  if (!addedFile) return onKeepText()
  showToast('info', texts.pastedTextAdded, {
    id: 'pasted-text',
    action: {
      label: texts.keepAsText,
      onClick: () => {
        queue.remove(addedFile.key)
        onKeepText()
      },
    },
  })
}

function createPastedFileName(queue: UploadQueue): string {
  const usedNames = new Set(queue.files.getState().map(({ name }) => name))
  for (let number = 1; ; number += 1) {
    const name = texts.pastedFileName(number)
    if (!usedNames.has(name)) return name
  }
}

const truncate = (name: string) => (name.length > 40 ? `${name.slice(0, 37)}...` : name)
