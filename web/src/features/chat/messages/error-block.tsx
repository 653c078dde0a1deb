import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { CircleAlert, CirclePause, RotateCw } from 'lucide-react'
import { CopyDetails } from '../../../components/ui/copy-details.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { DocumentFlag } from '../../../components/ui/document-flag.tsx'
import { getFailureTitle, isNotice } from '../state/chat-failure.ts'
import type { ShownError } from '../state/conversation-parts.ts'
import { MessageTime } from './message-time.tsx'

/** An error in the conversation, with what to do about it. */
export function ErrorBlock({
  error,
  onRetry,
  retryLabel,
  onSignIn,
}: {
  error: ShownError
  /** absent when nothing can be retried */
  onRetry: (() => void) | undefined
  /** what retrying does, if that is not the same again */
  retryLabel: string | undefined
  onSignIn: () => void
}) {
  const isInformation = isNotice(error.kind)
  const needsSignIn = error.kind === 'authentication'
  const title = isInformation || error.kind === 'limit' ? getFailureTitle(error.kind) : t`Error`
  return (
    <div
      // no alert: the toast of the error is announced
      role="group"
      aria-label={title}
      className={clsx(
        'grid grid-cols-[20px_minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 rounded-lg px-4 pt-3.5 pb-4 text-ui hairline',
        isInformation ? 'bg-surface-sunken' : 'bg-danger-soft [--hairline:var(--color-danger-line)]',
      )}
    >
      <DocumentFlag name="card" />
      {isInformation ? (
        <CirclePause aria-hidden size={20} strokeWidth={1.75} className="text-ink-muted" />
      ) : (
        <CircleAlert aria-hidden size={20} strokeWidth={1.75} className="text-danger" />
      )}
      <b className={clsx('font-semibold', !isInformation && 'text-danger-ink')}>{title}</b>
      <MessageTime timestamp={error.timestamp} className="text-xs/5 text-ink-muted" />
      <p className="col-[2/-1] max-w-(--width-note)">{error.message}</p>
      <div className="col-[2/-1] mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-2">
        {onRetry && (
          <Button variant={isInformation ? 'outline' : 'danger'} size="sm" onClick={onRetry}>
            {retryLabel ?? (
              <>
                <RotateCw aria-hidden size={16} />
                {t`Retry`}
              </>
            )}
          </Button>
        )}
        {needsSignIn && (
          <Button variant="ghost" size="sm" onClick={onSignIn}>
            {t`Sign in again`}
          </Button>
        )}
        <CopyDetails error={error.details} />
      </div>
    </div>
  )
}
