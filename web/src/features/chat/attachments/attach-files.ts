import { showToast } from '../../../components/ui/toast.ts'
import { fileLimitsText } from './file-limits.ts'
import type { AttachmentQueue } from './attachment-queue.ts'

/** A pasted text longer than this becomes a file: the conversation stays readable, and the text is read as a document. */
export const longPasteCharacters = 8_000
const maxNamedFiles = 3

/** Attaches files, and says which ones cannot be, and why. */
export function attachFiles(queue: AttachmentQueue, files: readonly File[]): void {
  const rejected = queue.add(files)
  if (rejected.length === 0) return
  const named = rejected.slice(0, maxNamedFiles).map(({ name, reason }) => `${truncate(name)}: ${reason}`)
  const more = rejected.length - named.length
  showToast('error', rejected.length === 1 ? 'Not attached' : `${rejected.length} files not attached`, {
    id: 'files-refused',
    description: [...named, ...(more > 0 ? [`and ${more} more.`] : []), `${fileLimitsText}.`].join(' '),
  })
}

/**
 * Makes a file of a long text.
 * @param onKeepText takes it back as text
 */
export function attachPastedText(queue: AttachmentQueue, text: string, onKeepText: () => void): void {
  const file = new File([text], nextPastedName(queue), { type: 'text/plain' })
  const before = new Set(queue.files.getState().map(({ key }) => key))
  attachFiles(queue, [file])
  const added = queue.files.getState().find(({ key }) => !before.has(key))
  if (!added) return onKeepText()
  showToast('info', 'The pasted text became a file', {
    id: 'pasted-text',
    action: {
      label: 'Keep as text',
      onClick: () => {
        queue.remove(added.key)
        onKeepText()
      },
    },
  })
}

function nextPastedName(queue: AttachmentQueue): string {
  const usedNames = new Set(queue.files.getState().map(({ name }) => name))
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'Pasted text.txt' : `Pasted text ${number}.txt`
    if (!usedNames.has(name)) return name
  }
}

const truncate = (name: string) => (name.length > 40 ? `${name.slice(0, 37)}...` : name)
