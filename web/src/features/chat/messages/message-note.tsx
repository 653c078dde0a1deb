import { CopyDetails } from '../../../components/ui/copy-details.tsx'
import type { ErrorDetails } from '../../../lib/api/error-details.ts'

/** A sentence below a message, with the button that helps. @param reason a second sentence */
export function MessageNote({
  text,
  reason,
  details,
  action,
  onAction,
}: {
  text: string
  reason?: string | undefined
  /** of the error that it is about */
  details?: ErrorDetails | undefined
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
      {details && (
        <>
          {' '}
          <CopyDetails error={details} />
        </>
      )}
    </p>
  )
}
