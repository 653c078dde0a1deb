import { useEffect } from 'react'
import { useStore } from '../lib/create-store.ts'
import { decideLeave, unsavedState } from '../lib/leave-guard.ts'
import { lazyComponent } from './lazy-component.tsx'
import * as texts from './texts.ts'

const LeaveDialog = lazyComponent(() => import('./leave-dialog.tsx'), 'LeaveDialog', null)

/** Asks before leaving loses what was typed and not saved, wherever on the page it is. */
export function UnsavedDialog() {
  const { isUnsaved, leave } = useStore(unsavedState)
  useEffect(() => {
    // it must work after a deployment and offline, too
    if (isUnsaved) void LeaveDialog.preload()
  }, [isUnsaved])
  if (!leave) return null
  return (
    <LeaveDialog
      guard={{ isAsking: true, leave: () => decideLeave(true), stay: () => decideLeave(false) }}
      title={texts.leaveTitle}
      leaveLabel={texts.discard}
      stayLabel={texts.keepEditing}
    >
      {texts.notSaved}
    </LeaveDialog>
  )
}
