import type { FocusEvent } from 'react'

/** The actions below or beside a message. */
export const actionsClass =
  'flex h-7 shrink-0 items-center gap-0.5 text-xs text-ink-faint select-none print:hidden max-sm:h-9 [&_button]:text-ink-faint'
/** Until the pointer or the focus is on the message, or in a menu of its actions (`holdActions`). */
export const hiddenUntilHoverClass =
  'opacity-0 data-held:opacity-100 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 max-sm:opacity-100 pointer-coarse:opacity-100'

const hold = ({ type, currentTarget }: FocusEvent) =>
  currentTarget.toggleAttribute('data-held', type === 'focus')

/** Handlers of the element with the actions. React's events come from an open menu, too, which is elsewhere in the document. */
export const holdActions = { onFocus: hold, onBlur: hold }

/** A line below a message, with the button that helps. */
export function Note({
  text,
  reason,
  action,
  onAction,
}: {
  text: string
  reason?: string | undefined
  action: string
  onAction?: (() => void) | undefined
}) {
  return (
    <p className="max-w-(--width-note) text-sm text-ink-muted">
      {`${text} `}
      {reason !== undefined && <span>{reason} </span>}
      {onAction && (
        <button type="button" onClick={onAction} className="link font-medium print:hidden">
          {action}
        </button>
      )}
    </p>
  )
}
