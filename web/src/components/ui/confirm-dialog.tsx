import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps<Subject> {
  /** what is asked about; undefined: the dialog is closed */
  subject: Subject | undefined
  title: (subject: Subject) => string
  /** what happens when the person confirms */
  children: (subject: Subject) => ReactNode
  confirmLabel: string
  onConfirm: (subject: Subject) => void
  onClose: () => void
}

/** Asks before something that cannot be undone; closes with the answer. */
export function ConfirmDialog<Subject>({
  subject,
  title,
  children,
  confirmLabel,
  onConfirm,
  onClose,
}: ConfirmDialogProps<Subject>) {
  // the text stays while the dialog fades out
  const [shown, setShown] = useState(subject)
  if (subject !== undefined && subject !== shown) setShown(subject)
  if (shown === undefined) return null
  const confirm = () => {
    onClose()
    onConfirm(shown)
  }
  return (
    <Dialog
      open={subject !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={title(shown)}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger-solid" onClick={confirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <p className="[overflow-wrap:anywhere] text-ink-muted">{children(shown)}</p>
    </Dialog>
  )
}
