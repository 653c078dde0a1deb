import { useEffect, useState } from 'react'

/**
 * Handles files that are dropped anywhere on the page, or pasted outside of other fields. Its code comes after the first page.
 * @returns whether files are being dragged over the page
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isDragging, setDragging] = useState(false)
  useEffect(() => {
    let end: (() => void) | 'unmounted' | undefined
    void import('./listen-for-files.ts').then(
      ({ listenForFiles }) => {
        if (end !== 'unmounted') end = listenForFiles({ onFiles, setDragging })
      },
      () => undefined,
    )
    return () => {
      if (typeof end === 'function') end()
      end = 'unmounted'
    }
  }, [onFiles])
  return isDragging
}
