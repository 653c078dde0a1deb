import { shortcuts } from './shortcuts.ts'

/** Safari reports a key of an input method after the composition has ended, with code 229. */
const isFromInputMethod = ({ isComposing, keyCode }: KeyboardEvent) => isComposing || keyCode === 229

// keys that an input method uses never reach the page: Enter confirms its word, and Escape discards it. Before all other listeners
addEventListener(
  'keydown',
  (event) => {
    if (isFromInputMethod(event)) event.stopImmediatePropagation()
  },
  { capture: true },
)

/** Whether an input method is still composing the text of a field: changing the text then would break its word. */
export const isComposed = (event: Event): boolean => 'isComposing' in event && event.isComposing === true

/** Whether the key sends or confirms, with or without modifiers. */
export const isEnter = ({ key }: { key: string }): boolean => key === shortcuts.send.key

/** Whether there is no mouse or trackpad, so that the user types on the screen. */
export const isTouchOnly = (): boolean =>
  matchMedia('(pointer: coarse)').matches && !matchMedia('(any-pointer: fine)').matches

/** Whether the key sends a message. On-screen keyboards have no Shift + Enter: Enter adds a line there. */
export const isSendKey = (event: { key: string; shiftKey: boolean }): boolean =>
  isEnter(event) && !event.shiftKey && !isTouchOnly()

/** Whether the key is Escape, and not one of an input method. Components use `useEscape`; this is for documents other than the page's. */
export const isEscape = (event: KeyboardEvent): boolean =>
  event.key === shortcuts.stop.key && !isFromInputMethod(event)
