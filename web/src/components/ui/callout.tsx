import clsx from 'clsx'
import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'

/** A sentence in its place: what went wrong or what to know, and what can be done about it. Errors are announced at once. */
export function Notice({
  tone,
  children,
  action,
}: {
  tone: 'danger' | 'info'
  children: ReactNode
  action?: { label: string; onClick: () => void } | undefined
}) {
  const Icon = tone === 'danger' ? CircleAlert : Info
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={clsx(
        'flex animate-fade gap-2 rounded-sm px-3 py-2.5 text-sm',
        tone === 'danger' ? 'bg-danger-soft text-ink' : 'bg-surface-hover text-ink-muted',
      )}
    >
      <Icon
        aria-hidden
        size={16}
        className={clsx('mt-0.5 shrink-0', tone === 'danger' ? 'text-danger' : 'text-ink-faint')}
      />
      <div>
        <p>{children}</p>
        {action && (
          <button type="button" onClick={action.onClick} className="link mt-1 font-medium">
            {action.label}
          </button>
        )}
      </div>
    </div>
  )
}
