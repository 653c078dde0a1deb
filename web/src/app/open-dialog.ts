import { createStore, useStore } from '../lib/create-store.ts'

/** The global dialogs; one is open at a time. */
export type GlobalDialog = 'search' | 'shortcuts'

const openDialogStore = createStore<GlobalDialog | null>(null)

export const setOpenDialog = (dialog: GlobalDialog | null): void => openDialogStore.setState(dialog)

export const useOpenDialog = (): GlobalDialog | null => useStore(openDialogStore)
