import { useLayoutEffect } from 'react'
import { Toaster } from '../components/ui/toaster.tsx'
import { startFocusRestore } from '../lib/start-focus-restore.ts'

/** For every page: shows toasts, and moves the focus when the element that has it disappears. */
export function ToastsAndFocus() {
  useLayoutEffect(() => startFocusRestore(), [])
  return <Toaster />
}
