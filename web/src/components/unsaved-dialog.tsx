import { useStore } from '../lib/create-store.ts'
import { unsavedInputs, unsavedState } from '../lib/leave-guard.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import * as texts from './texts.ts'

function decide(isDiscarding: boolean): void {
  const { leave } = unsavedState.getState()
  unsavedState.setState({ isUnsaved: !isDiscarding })
  if (!isDiscarding) return
  const inputs = [...unsavedInputs]
  unsavedInputs.clear()
  for (const { discard } of inputs) discard()
  leave?.()
}

/** Asks before leaving loses what was typed and not saved, wherever on the page it is. */
export function UnsavedDialog() {
  const { leave } = useStore(unsavedState)
  return (
    <LeaveDialog
      guard={{
        isAsking: leave !== undefined,
        leave: () => decide(true),
        stay: () => decide(false),
      }}
      title={texts.leaveTitle}
      leaveLabel={texts.discard}
      stayLabel={texts.keepEditing}
    >
      {texts.notSaved}
    </LeaveDialog>
  )
}
