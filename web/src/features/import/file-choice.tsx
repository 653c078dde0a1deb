import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { useRef, useState, type DragEvent } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { listDropped, toChosenFiles, type ChosenFile } from './chosen-files.ts'

/** Takes the files of an export: by a button, or dropped. */
export function FileChoice({
  isDisabled,
  onChoose,
}: {
  isDisabled: boolean
  onChoose: (files: readonly ChosenFile[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const choose = (files: readonly ChosenFile[]) => {
    if (files.length > 0 && !isDisabled) onChoose(files)
  }
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    // also while it is disabled: the browser would show the file in place of this page
    event.preventDefault()
    setIsOver(!isDisabled)
  }
  return (
    <div
      onDragOver={drag}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        void listDropped(event.dataTransfer).then(choose)
      }}
      className={clsx(
        'flex flex-col items-center gap-2 rounded-md border border-dashed px-4 py-6 text-center',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
      )}
    >
      <input
        ref={input}
        type="file"
        multiple
        accept=".zip,.json,application/zip,application/json"
        aria-label={t`Files of an export`}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          choose(toChosenFiles(target.files ?? []))
          // the same file can be chosen again
          target.value = ''
        }}
      />
      <Button disabled={isDisabled} onClick={() => input.current?.click()}>
        {t`Choose files`}
      </Button>
      <p className="text-sm text-ink-muted max-sm:hidden">{t`or drop them here, or their folder`}</p>
    </div>
  )
}
