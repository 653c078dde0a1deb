import { showToast } from '../../../components/ui/toast.ts'
import { attachFiles } from './attach-files.ts'
import * as texts from './texts.ts'
import type { UploadQueue } from './upload-queue.ts'

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
