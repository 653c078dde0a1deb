import { useLayoutEffect, useRef, useState } from 'react'

/**
 * Runs what a form or a button starts, one at a time. The busy state is painted first: the SRP computation of a sign-in blocks the page for a
 * moment.
 * @param work handles its own errors. It is that of the newest render: a form that is filled in and sent by a program sends what it shows.
 */
export function useSubmit<Args extends unknown[]>(
  work: (...args: Args) => Promise<void>,
): { isBusy: boolean; submit: (...args: Args) => void } {
  const isRunning = useRef(false)
  const newest = useRef(work)
  useLayoutEffect(() => {
    newest.current = work
  })
  const [isBusy, setIsBusy] = useState(false)
  const run = async (...args: Args) => {
    if (isRunning.current) return
    isRunning.current = true
    setIsBusy(true)
    try {
      await nextPaint()
      await newest.current(...args)
    } finally {
      isRunning.current = false
      setIsBusy(false)
    }
  }
  return { isBusy, submit: (...args) => void run(...args) }
}

/** A hidden tab paints no frame: its work begins after this time. */
const hiddenTabDelayMs = 100

/** Resolves after the next frame is painted. */
function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    const fallback = setTimeout(resolve, hiddenTabDelayMs)
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(fallback)
        resolve()
      }),
    )
  })
}
