/** A sentence below a message, with the button that helps. @param reason a second sentence */
export function MessageNote({
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
