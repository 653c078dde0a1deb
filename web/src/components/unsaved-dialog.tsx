import { t } from '@lingui/core/macro'
import { useStore } from '../lib/browser/create-store.ts'
import { unsavedInputs, unsavedState } from '../lib/input/leave-guard.ts'
import { LeaveDialog } from './leave-dialog.tsx'

function discardAndLeave(): void {
  const { leave } = unsavedState.getState()
  const inputs = [...unsavedInputs]
  unsavedInputs.clear()
  unsavedState.setState({ isUnsaved: false })
  for (const { discard } of inputs) discard()
  leave?.()
}

const stay = (): void => unsavedState.setState({ isUnsaved: unsavedInputs.size > 0 })

/** Asks before leaving the page would lose unsaved input, wherever on the page that is. */
export function UnsavedDialog() {
  const { leave } = useStore(unsavedState)
  return (
    <LeaveDialog
      guard={{
        isAsking: leave !== undefined,
        leave: discardAndLeave,
        stay,
      }}
      title={t`Leave without saving?`}
      leaveLabel={t`Discard changes`}
      stayLabel={t`Keep editing`}
    >
      {t`Your changes are not saved yet.`}
    </LeaveDialog>
  )
}
