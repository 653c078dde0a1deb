import { useEffect, useState } from 'react'

/** Resolves when the browser has nothing better to do, after a second at the latest: for what the first page does not need. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 1000 })
    else setTimeout(resolve, 200)
  })
}

/** Whether the browser has been idle once since the component came, see `whenIdle`. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    let gone = false
    void whenIdle().then(() => gone || setIdle(true))
    return () => {
      gone = true
    }
  }, [])
  return idle
}
