import { createStore, useStore } from '../lib/create-store.ts'

/** What lies over the page and can be opened from anywhere: by a key, a menu, a panel. One at a time. */
export type Overlay = 'search' | 'shortcuts'

const openOverlay = createStore<Overlay | null>(null)

export const showOverlay = (overlay: Overlay | null): void => openOverlay.setState(overlay)

export const useOverlay = (): Overlay | null => useStore(openOverlay)
