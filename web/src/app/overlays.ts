import { useSyncExternalStore } from 'react'

/** What lies over the page and can be opened from anywhere: by a key, a menu, a panel. One at a time. */
export type Overlay = 'search' | 'shortcuts'

let open: Overlay | null = null
const listeners = new Set<() => void>()

export function showOverlay(overlay: Overlay | null): void {
  open = overlay
  for (const listener of listeners) listener()
}

export function useOverlay(): Overlay | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => open,
  )
}
