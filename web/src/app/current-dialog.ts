import { createStore, useStore } from '../lib/browser/create-store.ts'

/** What opens over any page, and the list of conversations where it opens over the page; one is open at a time. */
type GlobalDialog = 'search' | 'shortcuts' | 'history'

const currentDialogStore = createStore<GlobalDialog | null>(null)

/** The dialog that is open; null for none. */
export const getCurrentDialog = currentDialogStore.getState

/** Opens a dialog in place of the one that is open; null closes it. */
export const setCurrentDialog = (dialog: GlobalDialog | null): void => currentDialogStore.setState(dialog)

/** The dialog that is open, also when that changes; null for none. */
export const useCurrentDialog = (): GlobalDialog | null => useStore(currentDialogStore)
