import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { copiedIndicatorMs } from '../../lib/browser/limits.ts'
import { announce } from '../../lib/browser/announce.ts'
import { showToast } from './toast.ts'

/**
 * Copies text to the clipboard, with its HTML for programs that show formatted text; `copied` is true for a moment (`copiedIndicatorMs`).
 * @param toast shown on success; without it, the success is announced to screen readers
 */
export function useCopy(toast?: { title: string; description?: string }) {
  const [copyCount, setCopyCount] = useState(0)
  useEffect(() => {
    if (copyCount === 0) return
    const timer = setTimeout(() => setCopyCount(0), copiedIndicatorMs)
    return () => clearTimeout(timer)
  }, [copyCount])
  const copy = async (text: string, html?: string) => {
    try {
      await writeClipboard(text, html)
    } catch (cause) {
      showToast('error', t`Copy failed`, { description: t`Please copy the text manually`, cause })
      return
    }
    setCopyCount((times) => times + 1)
    // toasts announce themselves
    if (!toast) return announce(t`Copied`)
    const { title, description } = toast
    showToast('success', title, description === undefined ? {} : { description })
  }
  return { copied: copyCount > 0, copy }
}

async function writeClipboard(text: string, html: string | undefined): Promise<void> {
  if (html === undefined || typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(text)
  const toBlob = (content: string, type: string) => new Blob([content], { type })
  await navigator.clipboard.write([
    new ClipboardItem({
      'text/html': toBlob(html, 'text/html'),
      'text/plain': toBlob(text, 'text/plain'),
    }),
  ])
}
