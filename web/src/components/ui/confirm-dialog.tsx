import { type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useLast } from '../../lib/use-last.ts'
import * as texts from '../texts.ts'

interface ConfirmDialogProps<Subject> {
  /** the object of the action; undefined closes the dialog */
  subject: Subject | undefined
  title: (subject: Subject) => string
  /** the consequences */
  children: (subject: Subject) => ReactNode
  confirmLabel: string
  onConfirm: (subject: Subject) => void
  onClose: () => void
}

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog<Subject>({
  subject,
  title,
  children,
  confirmLabel,
  onConfirm,
  onClose,
}: ConfirmDialogProps<Subject>) {
  const lastSubject = useLast(subject)
  if (lastSubject === undefined) return null
  const confirm = () => {
    onClose()
    onConfirm(lastSubject)
  }
  return (
    <Dialog
      open={subject !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={title(lastSubject)}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button variant="danger-solid" onClick={confirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <p className="[overflow-wrap:anywhere] text-ink-muted">{children(lastSubject)}</p>
    </Dialog>
  )
}
