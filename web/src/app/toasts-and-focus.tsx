import { useLayoutEffect } from 'react'
import { Toaster } from '../components/ui/toaster.tsx'
import { startFocusRestore } from '../lib/input/start-focus-restore.ts'
import { tolerateMovedNodes } from '../lib/browser/tolerate-moved-nodes.ts'

/** For every page: shows toasts, moves the focus when the element that has it disappears, and lets browsers translate the page. */
export function ToastsAndFocus() {
  useLayoutEffect(() => startFocusRestore(), [])
  useLayoutEffect(() => tolerateMovedNodes(), [])
  return <Toaster />
}
