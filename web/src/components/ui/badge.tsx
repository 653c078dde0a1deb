import clsx from 'clsx'
import type { ReactNode } from 'react'

/** The look of a badge. */
export type BadgeVariant = 'quiet' | 'outline' | 'success' | 'warning' | 'warning-outline' | 'danger'

const variantClasses: Record<BadgeVariant, string> = {
  quiet: 'bg-surface-hover text-ink-muted font-normal',
  outline: 'text-ink-faint hairline font-normal [--hairline:var(--color-line)]',
  success: 'bg-success-soft text-success-ink',
  warning: 'bg-warning-soft text-warning-ink',
  'warning-outline': 'text-warning-ink hairline [--hairline:var(--color-warning-line)]',
  danger: 'bg-danger-soft text-danger-ink',
}

/** A short label for a type or a status, 22 px high; its icons are 12 px. */
export function Badge({
  variant = 'quiet',
  wraps = false,
  className,
  children,
}: {
  variant?: BadgeVariant
  /** for a phrase that may be longer than the line */
  wraps?: boolean
  className?: string
  children: ReactNode
}) {
  return (
    <span
      className={clsx(
        'inline-flex min-h-5.5 max-w-full shrink-0 items-center gap-1 rounded-chip px-2 text-xs font-medium',
        wraps ? 'wrap-anywhere' : 'whitespace-nowrap',
        variantClasses[variant],
        className,
      )}
    >
      {children}
    </span>
  )
}
