import { t } from '@lingui/core/macro'
import { useStore } from '../lib/create-store.ts'
import { unsavedInputs, unsavedState } from '../lib/leave-guard.ts'
import { LeaveDialog } from './leave-dialog.tsx'

/** Ends the question: discards all unsaved inputs and leaves, or stays. */
function decide(isDiscarding: boolean): void {
  const { leave } = unsavedState.getState()
  unsavedState.setState({ isUnsaved: !isDiscarding && unsavedInputs.size > 0 })
  if (!isDiscarding) return
  const inputs = [...unsavedInputs]
  unsavedInputs.clear()
  for (const { discard } of inputs) discard()
  leave?.()
}

/** Asks before leaving the page would lose unsaved input, wherever on the page that is. */
export function UnsavedDialog() {
  const { leave } = useStore(unsavedState)
  return (
    <LeaveDialog
      guard={{
        isAsking: leave !== undefined,
        leave: () => decide(true),
        stay: () => decide(false),
      }}
      title={t`Leave without saving?`}
      leaveLabel={t`Discard changes`}
      stayLabel={t`Keep editing`}
    >
      {t`Your changes are not saved yet.`}
    </LeaveDialog>
  )
}
