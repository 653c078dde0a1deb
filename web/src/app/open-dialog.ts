import { createStore, useStore } from '../lib/create-store.ts'

/** What lies over the page and can be opened from anywhere: by a key, a menu, a panel. One at a time. */
export type GlobalDialog = 'search' | 'shortcuts'

const openDialogStore = createStore<GlobalDialog | null>(null)

export const setOpenDialog = (overlay: GlobalDialog | null): void => openDialogStore.setState(overlay)

export const useOpenDialog = (): GlobalDialog | null => useStore(openDialogStore)
