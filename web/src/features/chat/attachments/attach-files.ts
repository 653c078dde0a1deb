import { showToast } from '../../../components/ui/toast.ts'
import { limitsInWords } from './file-limits.ts'
import type { Tray } from './attachment-queue.ts'

/** A pasted text longer than this becomes a file: the conversation stays readable, and the text is read as a document. */
export const longPasteCharacters = 8_000
const namedRefusals = 3

/** Attaches files, and says which ones cannot be, and why. */
export function attachFiles(tray: Tray, files: readonly File[]): void {
  const refused = tray.add(files)
  if (refused.length === 0) return
  const named = refused.slice(0, namedRefusals).map(({ name, reason }) => `${shortened(name)}: ${reason}`)
  const more = refused.length - named.length
  showToast('error', refused.length === 1 ? 'Not attached' : `${refused.length} files not attached`, {
    id: 'files-refused',
    description: [...named, ...(more > 0 ? [`and ${more} more.`] : []), `${limitsInWords}.`].join(' '),
  })
}

/**
 * Makes a file of a long text.
 * @param onKeepText takes it back as text
 */
export function attachPastedText(tray: Tray, text: string, onKeepText: () => void): void {
  const file = new File([text], pastedName(tray), { type: 'text/plain' })
  const before = new Set(tray.files.getState().map(({ key }) => key))
  attachFiles(tray, [file])
  const added = tray.files.getState().find(({ key }) => !before.has(key))
  if (!added) return onKeepText()
  showToast('info', 'The pasted text became a file', {
    id: 'pasted-text',
    action: {
      label: 'Keep as text',
      onClick: () => {
        tray.remove(added.key)
        onKeepText()
      },
    },
  })
}

function pastedName(tray: Tray): string {
  const taken = new Set(tray.files.getState().map(({ name }) => name))
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'Pasted text.txt' : `Pasted text ${number}.txt`
    if (!taken.has(name)) return name
  }
}

const shortened = (name: string) => (name.length > 40 ? `${name.slice(0, 37)}...` : name)
