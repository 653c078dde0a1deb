import { createStore } from './create-store.ts'

/** What screen readers are to say now. */
export const announcement = createStore({ id: 0, text: '' })

/** Has screen readers say what the page shows and no live region of its own tells: once an event, the same words again if need be. */
export const announce = (text: string): void =>
  announcement.setState({ id: announcement.getState().id + 1, text })
