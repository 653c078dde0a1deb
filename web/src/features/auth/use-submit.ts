import { useRef, useState } from 'react'

/**
 * Runs a form's submission, one at a time. The busy state is painted first: the SRP computation of a
 * sign-in blocks the page for a moment.
 */
export function useSubmit<Args extends unknown[]>(
  work: (...args: Args) => Promise<void>,
): { busy: boolean; submit: (...args: Args) => void } {
  const isRunning = useRef(false)
  const [busy, setBusy] = useState(false)
  const run = async (...args: Args) => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    try {
      await nextPaint()
      await work(...args)
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return { busy, submit: (...args) => void run(...args) }
}

/** Resolves after the next frame is painted; soon in a hidden tab, which paints none. */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    const fallback = setTimeout(resolve, 100)
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(fallback)
        resolve()
      }),
    )
  })
}
