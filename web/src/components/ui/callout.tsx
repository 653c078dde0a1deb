import clsx from 'clsx'
import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { CopyDetails } from './copy-details.tsx'
import { useHasRendered } from '../../lib/browser/use-has-rendered.ts'

/** An inline message with an optional action. It is announced when it appears, an error and a warning at once. A warning is not about a failure. */
export function Callout({
  variant,
  error,
  children,
  action,
}: {
  children: ReactNode
  action?: { label: string; onClick: () => void } | undefined
} & (
  | {
      variant: 'danger'
      /** what failed; its details can be copied */
      error: unknown
    }
  | { variant: 'warning' | 'info'; error?: never }
)) {
  const hasRendered = useHasRendered()
  const isUrgent = variant !== 'info'
  const Icon = isUrgent ? CircleAlert : Info
  return (
    <div
      className={clsx(
        'flex animate-fade gap-2 rounded-sm px-3 py-2.5 text-sm',
        isUrgent ? 'bg-danger-soft text-ink' : 'bg-surface-hover text-ink-muted',
      )}
    >
      <Icon
        aria-hidden
        size={16}
        className={clsx('mt-0.5 shrink-0', isUrgent ? 'text-danger' : 'text-ink-faint')}
      />
      <div>
        <div role={isUrgent ? 'alert' : 'status'}>
          <p>{(hasRendered || isUrgent) && children}</p>
          {action && (
            <button type="button" onClick={action.onClick} className="link mt-1 font-medium">
              {action.label}
            </button>
          )}
        </div>
        {Boolean(error) && <CopyDetails error={error} />}
      </div>
    </div>
  )
}
