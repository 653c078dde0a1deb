/** The actions below or beside a message. */
export const actionsClass =
  'flex h-7 shrink-0 items-center gap-0.5 text-xs text-ink-faint select-none print:hidden max-sm:h-9 [&_button]:text-ink-faint'
/** Until the pointer or the focus is on the message. */
export const hiddenUntilHoverClass =
  'opacity-0 group-has-data-[state=open]/turn:opacity-100 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 max-sm:opacity-100 pointer-coarse:opacity-100'

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
