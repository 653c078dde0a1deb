import { t } from '@lingui/core/macro'
import { Button } from '../../components/ui/button.tsx'

/** The buttons below a text that is edited in place: Cancel, and Save, which submits the form. */
export function SaveButtons({
  hint,
  isBusy,
  onCancel,
}: {
  hint?: string
  isBusy: boolean
  onCancel: () => void
}) {
  return (
    <div className="flex items-center justify-end gap-1">
      {hint !== undefined && <span className="flex-1 text-xs text-ink-faint">{hint}</span>}
      <Button variant="ghost" size="sm" disabled={isBusy} onClick={onCancel}>
        {t`Cancel`}
      </Button>
      <Button variant="soft" size="sm" type="submit" busy={isBusy}>
        {t`Save`}
      </Button>
    </div>
  )
}
