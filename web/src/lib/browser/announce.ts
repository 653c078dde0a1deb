import { createStore } from './create-store.ts'

/** The text in the live region; a new id repeats the same text. */
export const announcementStore = createStore({ id: 0, text: '' })

/** Announces an event to screen readers, for changes without a live region of their own. Of several at once, the last one is announced. */
export const announce = (text: string): void =>
  announcementStore.setState({ id: announcementStore.getState().id + 1, text })
