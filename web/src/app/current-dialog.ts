import { createStore, useStore } from '../lib/create-store.ts'

/** The global dialogs; one is open at a time. */
export type GlobalDialog = 'search' | 'shortcuts'

const currentDialogStore = createStore<GlobalDialog | null>(null)

export const setCurrentDialog = (dialog: GlobalDialog | null): void => currentDialogStore.setState(dialog)

export const useCurrentDialog = (): GlobalDialog | null => useStore(currentDialogStore)
