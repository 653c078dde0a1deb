import { useEffect, useState } from 'react'

/** How long to wait in browsers that do not tell when they are idle. */
const idleMs = 200

/** The latest that idle work begins on a page that is never idle. */
const maxWaitMs = 1_000

let pauses = 0
/** Continue the work that waits while there are pauses. */
let resumers: (() => void)[] = []

/**
 * Pauses idle work while the page is loading.
 * @returns resumes it
 */
export function pauseIdleWork(): () => void {
  pauses += 1
  return () => {
    pauses -= 1
    if (pauses > 0) return
    const resumed = resumers
    resumers = []
    for (const resume of resumed) resume()
  }
}

/** Resolves when the page is loaded and the browser is idle: for work that the first page does not need. */
export async function whenIdle(): Promise<void> {
  for (;;) {
    await waitForBrowserIdle()
    if (pauses === 0) return
    await new Promise<void>((resolve) => resumers.push(resolve))
  }
}

function waitForBrowserIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: maxWaitMs })
    else setTimeout(resolve, idleMs)
  })
}

/** Whether the browser has been idle since the component mounted. */
export function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => {
    let isUnmounted = false
    void whenIdle().then(() => {
      if (!isUnmounted) setIsIdle(true)
    })
    return () => {
      isUnmounted = true
    }
  }, [])
  return isIdle
}
