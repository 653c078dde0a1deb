import { CircleAlert, RotateCw } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import { RootMark } from '../../../components/ui/document-flag.tsx'
import type { ShownError } from '../state/chat.ts'
import { MessageTime } from './message-time.tsx'

/** CHAT-27, CHAT-28: what went wrong, where it did, and what to do about it. */
export function ErrorBlock({
  error,
  onRetry,
  onSignIn,
}: {
  error: ShownError
  /** absent when there is nothing to try again */
  onRetry?: (() => void) | undefined
  onSignIn: () => void
}) {
  return (
    <div
      role="alert"
      className="grid grid-cols-[20px_minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 rounded-lg bg-danger-soft px-4 pt-3.5 pb-4 text-ui hairline [--hairline:var(--color-danger-line)]"
    >
      <RootMark has="error" />
      <CircleAlert aria-hidden size={20} strokeWidth={1.75} className="text-danger" />
      <b className="font-semibold text-danger-ink">Error</b>
      <MessageTime at={error.at} className="text-xs/5 text-ink-muted" />
      <p className="col-[2/-1] max-w-[60ch]">{error.sentence}</p>
      {(onRetry ?? error.kind === 'authentication') && (
        <div className="col-[2/-1] mt-2.5 flex flex-wrap items-center gap-2">
          {onRetry && (
            <Button tone="danger" size="sm" onClick={onRetry}>
              <RotateCw aria-hidden size={16} />
              Retry
            </Button>
          )}
          {error.kind === 'authentication' && (
            <Button tone="ghost" size="sm" onClick={onSignIn}>
              Sign in again
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
