/** The classes of the row of actions below or beside a message. */
export const actionsClass =
  'flex h-7 shrink-0 items-center gap-0.5 text-xs text-ink-faint select-none print:hidden max-sm:h-9 [&_button]:text-ink-faint'
/** Hides the actions until the pointer or the focus is on the message, or a menu of it is open. Touch screens always show them. */
export const hiddenUntilHoverClass =
  'opacity-0 group-has-data-[state=open]/turn:opacity-100 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 max-sm:opacity-100 pointer-coarse:opacity-100'
