import { useEffect, useState } from 'react'
import { whenIdle } from '../../../lib/when-idle.ts'

/**
 * Handles files that are dropped anywhere on the page, or pasted outside of other fields. Its code comes after the first page; until then,
 * and if it cannot be loaded, a drop attaches its files without more ado, because the browser would navigate to the file.
 * @returns whether files are being dragged over the page
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isDragging, setDragging] = useState(false)
  useEffect(() => {
    let end: (() => void) | undefined
    const takeDrop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      if (event.type === 'drop') onFiles([...event.dataTransfer.files])
    }
    const controller = new AbortController()
    const { signal } = controller
    for (const type of ['dragover', 'drop'] as const) document.addEventListener(type, takeDrop, { signal })
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
      controller.abort()
      end?.()
    }
  }, [onFiles])
  return isDragging
}
