import { t } from '@lingui/core/macro'
import type { RefObject } from 'react'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { attachFiles } from './attach-files.ts'
import { readDraft, saveDraft } from '../../../lib/input/drafts.ts'
import { insertIntoComposer, setComposerText } from '../../../lib/input/composer-text.ts'
import { isTouchOnly } from '../../../lib/input/keys.ts'
import type { UploadQueue } from './upload-queue.ts'

const formatPastedFileName = (number: number) =>
  number === 1 ? t`Pasted text.txt` : t`Pasted text ${number}.txt`

interface PastedText {
  queue: UploadQueue
  text: string
  /** the field that it was pasted into */
  input: RefObject<HTMLTextAreaElement | null>
  draftKey: string
}

/** Adds the text to the message. What was typed since the paste stays, also in a field that has replaced the one of the paste. */
function keepAsText({ text, input, draftKey }: PastedText): void {
  const openComposer = document.querySelector<HTMLTextAreaElement>(
    `[data-composer="${CSS.escape(draftKey)}"]`,
  )
  const node = input.current ?? openComposer
  // on touch screens the focus would open the keyboard
  const insert = isTouchOnly() ? setComposerText : insertIntoComposer
  // at the caret: what is selected by now was typed since, too
  if (node) insert(node, text, node.selectionEnd, node.selectionEnd)
  else saveDraft(draftKey, 'text', readDraft(draftKey) + text)
}

/** Attaches a long text as a file, and offers to keep it as text until the file is sent or removed. It stays text if no file can be added. */
export function attachPastedText(pasted: PastedText): void {
  const { queue, text } = pasted
  // the user has signed out while this code was loading
  if (queue.signal.aborted) return
  const file = new File([text], createPastedFileName(queue), { type: 'text/plain' })
  const before = new Set(queue.files.getState().map(({ key }) => key))
  attachFiles(queue, [file])
  const addedFile = queue.files.getState().find(({ key }) => !before.has(key))
  if (!addedFile) return keepAsText(pasted)
  const toastId = showToast('info', t`Pasted text added as a file`, {
    action: {
      label: t`Keep as text`,
      onClick: () => {
        queue.remove(addedFile.key)
        keepAsText(pasted)
      },
    },
  })
  const stop = queue.files.subscribe(() => {
    if (queue.files.getState().some(({ key }) => key === addedFile.key)) return
    stop()
    dismissToast(toastId)
  })
}

function createPastedFileName(queue: UploadQueue): string {
  const usedNames = new Set(queue.files.getState().map(({ name }) => name))
  for (let number = 1; ; number += 1) {
    const name = formatPastedFileName(number)
    if (!usedNames.has(name)) return name
  }
}
