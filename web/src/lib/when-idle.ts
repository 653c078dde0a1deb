import { useEffect, useState } from 'react'

let loading = 0
let waiting: (() => void)[] = []

/** The page is still being loaded: nothing is idle until the function that this returns was called. */
export function holdIdle(): () => void {
  loading += 1
  return () => {
    loading -= 1
    if (loading > 0) return
    const due = waiting
    waiting = []
    for (const go of due) go()
  }
}

/** Resolves when the page is there and the browser has nothing better to do: for what the first page does not need. */
export async function whenIdle(): Promise<void> {
  for (;;) {
    await browserIdle()
    if (loading === 0) return
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
}

/** After a second at the latest. */
function browserIdle(): Promise<void> {
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
