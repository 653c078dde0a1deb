import { useLayoutEffect } from 'react'
import { Toaster } from '../components/ui/toaster.tsx'
import { startFocusRestore } from '../lib/start-focus-restore.ts'
import { tolerateMovedTexts } from '../lib/tolerate-moved-texts.ts'

/** For every page: shows toasts, moves the focus when the element that has it disappears, and lets browsers translate the page. */
export function ToastsAndFocus() {
  useLayoutEffect(() => startFocusRestore(), [])
  useLayoutEffect(() => tolerateMovedTexts(), [])
  return <Toaster />
}
