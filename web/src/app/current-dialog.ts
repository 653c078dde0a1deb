import { createStore, useStore } from '../lib/create-store.ts'

/** What opens over any page, and the list of conversations where it opens over the chat; one is open at a time. */
type GlobalDialog = 'search' | 'shortcuts' | 'history'

const currentDialogStore = createStore<GlobalDialog | null>(null)

export const getCurrentDialog = currentDialogStore.getState

export const setCurrentDialog = (dialog: GlobalDialog | null): void => currentDialogStore.setState(dialog)

export const useCurrentDialog = (): GlobalDialog | null => useStore(currentDialogStore)
