import { createStore } from './create-store.ts'

/** A note that stands below the composer in place of its hints; empty for none. A store, because the code that sets it loads after the composer. */
export const composerNote = createStore('')
