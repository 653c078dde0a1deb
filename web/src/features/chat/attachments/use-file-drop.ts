import { useEffect, useState } from 'react'
import { takePastedFiles } from './transferred-files.ts'
import { whenIdle } from '../../../lib/browser/when-idle.ts'

/**
 * Handles files that are dropped anywhere on the page, or pasted outside of other fields. Most of the code for a drop is loaded after the first
 * page. Until then a drop only attaches its files, because the browser would otherwise navigate to them.
 * @param onFiles must be a stable function
 * @returns whether files are being dragged over the page
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isDragging, setDragging] = useState(false)
  useEffect(() => {
    let end: (() => void) | undefined
    const attachDrop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      if (event.type === 'drop') onFiles([...event.dataTransfer.files])
    }
    const attachPaste = (event: ClipboardEvent) => {
      const files = takePastedFiles(event)
      if (files.length > 0) onFiles(files)
    }
    document.addEventListener('paste', attachPaste)
    const controller = new AbortController()
    const { signal } = controller
    for (const type of ['dragover', 'drop'] as const) document.addEventListener(type, attachDrop, { signal })
    void whenIdle()
      .then(() => import('./listen-for-files.ts'))
      .then(
        ({ listenForFiles }) => {
          if (signal.aborted) return
          controller.abort()
          end = listenForFiles({ onFiles, setDragging })
        },
        () => undefined,
      )
    return () => {
      document.removeEventListener('paste', attachPaste)
      controller.abort()
      end?.()
    }
  }, [onFiles])
  return isDragging
}
