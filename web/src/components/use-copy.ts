import { useEffect, useState } from 'react'
import { copiedIndicatorMs } from '#shared/limits.ts'
import { announce } from '../lib/announce.ts'
import { showToast } from './ui/toast.ts'
import * as texts from './texts.ts'

/**
 * Copies text to the clipboard; `copied` is true for two seconds.
 * @param toast shown on success; without it, the success is announced to screen readers
 */
export function useCopy(toast?: { title: string; description?: string }) {
  const [copied, setCopied] = useState(0)
  useEffect(() => {
    if (copied === 0) return
    const timer = setTimeout(() => setCopied(0), copiedIndicatorMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      showToast('error', texts.copyFailed, { description: texts.copyByHand })
      return
    }
    setCopied((times) => times + 1)
    // toasts announce themselves
    if (!toast) return announce(texts.copied)
    const { title, description } = toast
    showToast('success', title, description === undefined ? {} : { description })
  }
  return { copied: copied > 0, copy }
}
