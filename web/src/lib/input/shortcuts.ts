/** Keys that are pressed together. */
export interface Shortcut {
  /** Ctrl, or ⌘ on a Mac */
  mod?: boolean
  shift?: boolean
  alt?: boolean
  /** as the browser names it; of letters the capital. On a layout without Latin letters, the key at the position of the letter counts */
  key: string
  /** the key's place on the keyboard, if that decides: the character depends on the layout */
  code?: string
}

/** All shortcuts, in the order of their dialog. Their handlers read them, except for `edit`; `newLine` is what text fields do by themselves. */
export const shortcuts = {
  search: { mod: true, key: 'K' },
  newChat: { mod: true, shift: true, key: 'O' },
  send: { key: 'Enter' },
  newLine: { shift: true, key: 'Enter' },
  stop: { key: 'Escape' },
  edit: { key: 'ArrowUp' },
  quote: { mod: true, shift: true, key: '9', code: 'Digit9' },
  undo: { mod: true, key: 'Z' },
  notifications: { alt: true, key: 'T', code: 'KeyT' },
  list: { key: '?' },
} as const satisfies Record<string, Shortcut>

/** The name of a shortcut. */
export type ShortcutName = keyof typeof shortcuts

/** Whether the keyboard is one of Apple. The property is deprecated, but all browsers have it, and only some have another one. */
export const isApplePlatform = (): boolean => /Mac|iP/.test(navigator.platform)

const fields = 'input,textarea,select,[contenteditable]'

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'target'>

/** Whether a key press is the shortcut. */
export function isShortcut(event: KeyPress, name: ShortcutName): boolean {
  const { mod = false, shift = false, alt = false, key, code }: Shortcut = shortcuts[name]
  // layouts of other scripts have no Latin letter there, as `ن` on an Arabic one
  const isOnOtherLayout = event.key > '~' && event.code === `Key${key}`
  // with Ctrl the fields of a Mac move the cursor and delete
  const hasMod = event.metaKey || (event.ctrlKey && !isApplePlatform())
  // a character to write in a field; Shift may be a part of typing it
  const isCharacter = !mod && !alt && key.length === 1
  return (
    (code ? event.code === code : event.key.toUpperCase() === key.toUpperCase() || isOnOtherLayout) &&
    hasMod === mod &&
    (isCharacter || event.shiftKey === shift) &&
    event.altKey === alt &&
    !(isCharacter && event.target instanceof Element && event.target.closest(fields))
  )
}
