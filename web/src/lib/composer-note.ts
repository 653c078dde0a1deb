import { createStore } from './create-store.ts'

/** What the composer says below its field in place of its hints; empty: nothing. What sets it loads after the composer. */
export const composerNote = createStore('')
