import type { FocusEvent } from 'react'

/** The classes of the row of actions below or beside a message. */
export const actionsClass =
  'flex h-7 shrink-0 items-center gap-0.5 text-xs text-ink-faint select-none print:hidden max-sm:h-9 [&_button]:text-ink-faint'

/**
 * Hides the actions until the pointer or the focus is on the message, or in a menu of its actions, which needs `focusWithinHandlers`. Touch
 * screens always show them.
 */
export const hiddenUntilHoverClass =
  'opacity-0 data-has-focus:opacity-100 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 max-sm:opacity-100 pointer-coarse:opacity-100'

const markFocus = ({ type, currentTarget }: FocusEvent) =>
  currentTarget.toggleAttribute('data-has-focus', type === 'focus')

/** Handlers of the row of actions. An open menu is elsewhere in the document, but React's events reach the row from there, too. */
export const focusWithinHandlers = { onFocus: markFocus, onBlur: markFocus }
