import { useEffect, useState } from 'react'
import { copiedIndicatorMs } from '#shared/limits.ts'
import { announce } from '../lib/announce.ts'
import { showToast } from './ui/toast.ts'

/**
 * Copies a text and says so for two seconds in its own place (LIM-07).
 * @param thanks the toast for a copy that worked; without one the place alone says so
 */
export function useCopied(thanks?: { title: string; description?: string }) {
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
      showToast('error', 'Copy failed', { description: 'Please copy the text manually' })
      return
    }
    setCopied((times) => times + 1)
    // a toast is announced by itself
    if (!thanks) return announce('Copied')
    const { title, description } = thanks
    showToast('success', title, description === undefined ? {} : { description })
  }
  return { copied: copied > 0, copy }
}
