import { useEffect, useRef } from 'react'

/**
 * Whoever works by keyboard goes on in the same row, though the button that they pressed is gone with the change it made.
 * @param state what the row shows, undefined until that is known
 * @param waiting whether a dialog has the focus for now
 * @returns the row's ref
 */
export function useKeptFocus(state: boolean | undefined, waiting: boolean) {
  const row = useRef<HTMLDivElement>(null)
  const shown = useRef(state)
  useEffect(() => {
    if (waiting) return
    const isLost = document.activeElement === document.body
    if (shown.current !== undefined && shown.current !== state && isLost)
      row.current?.querySelector('button')?.focus()
    shown.current = state
  }, [state, waiting])
  return row
}
