import { useLayoutEffect } from 'react'
import { Toaster } from '../components/ui/toaster.tsx'
import { startFocusRestore } from '../lib/start-focus-restore.ts'

/** What each page has once it is shown: toasts, and a place for the focus when what has it disappears. */
export function ToastsAndFocus() {
  useLayoutEffect(() => startFocusRestore(), [])
  return <Toaster />
}
