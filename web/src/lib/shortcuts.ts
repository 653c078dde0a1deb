/** Keys that are pressed together, and where they act. */
export interface Shortcut {
  /** Ctrl, or ⌘ on a Mac */
  mod?: boolean
  shift?: boolean
  alt?: boolean
  /** as the browser names it; of letters the capital. On a layout without Latin letters, the key at the position of the letter counts */
  key: string
  /** the key's place on the keyboard, if that decides: the character depends on the layout */
  code?: string
  where: 'page' | 'outside a field' | 'composer' | 'conversations' | 'selection'
}

/** All shortcuts, in the order of their dialog. Their handlers read them, except for `edit`; `newLine` is what text fields do by themselves. */
export const shortcuts = {
  search: { mod: true, key: 'K', where: 'page' },
  newChat: { mod: true, shift: true, key: 'O', where: 'page' },
  send: { key: 'Enter', where: 'composer' },
  newLine: { shift: true, key: 'Enter', where: 'composer' },
  stop: { key: 'Escape', where: 'page' },
  edit: { key: 'ArrowUp', where: 'composer' },
  quote: { mod: true, shift: true, key: '9', code: 'Digit9', where: 'selection' },
  undo: { mod: true, key: 'Z', where: 'conversations' },
  notifications: { alt: true, key: 'T', code: 'KeyT', where: 'page' },
  list: { key: '?', where: 'outside a field' },
} as const satisfies Record<string, Shortcut>

/** The name of a shortcut. */
export type ShortcutName = keyof typeof shortcuts

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'target'>

/** Whether a key press is the shortcut, where it acts. */
export function isShortcut(event: KeyPress, name: ShortcutName): boolean {
  const { mod = false, shift = false, alt = false, key, code, where }: Shortcut = shortcuts[name]
  // layouts of other scripts have no Latin letter there, as `ن` on an Arabic one
  const isOnOtherLayout = event.key > '~' && event.code === `Key${key}`
  // Shift is a part of typing some characters
  const isCharacter = !mod && key.length === 1
  return (
    (code ? event.code === code : event.key.toUpperCase() === key.toUpperCase() || isOnOtherLayout) &&
    (event.ctrlKey || event.metaKey) === mod &&
    (isCharacter || event.shiftKey === shift) &&
    event.altKey === alt &&
    !(where === 'outside a field' && isWriting(event.target))
  )
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input,textarea,select,[contenteditable]') !== null
}
