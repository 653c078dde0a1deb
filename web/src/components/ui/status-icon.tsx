import clsx from 'clsx'
import type { ReactNode } from 'react'

/** ok: dot, warn: triangle, bad: diamond, off: ring; distinct in shape and colour. */
export type StatusVariant = 'ok' | 'warn' | 'bad' | 'off'

const shapes: Record<StatusVariant, { className: string; shape: ReactNode }> = {
  ok: { className: 'text-success', shape: <circle cx="5" cy="5" r="4" fill="currentColor" /> },
  warn: { className: 'text-warning', shape: <path d="M5 .8 9.6 9H.4z" fill="currentColor" /> },
  bad: { className: 'text-danger', shape: <path d="M5 .3 9.7 5 5 9.7.3 5z" fill="currentColor" /> },
  off: {
    className: 'text-line-control',
    shape: <circle cx="5" cy="5" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  },
}

/** A status icon, next to text or over a tile. @param sizePx its width and height, in CSS pixels */
export function StatusIcon({
  variant,
  sizePx = 10,
  className,
}: {
  variant: StatusVariant
  sizePx?: number
  className?: string
}) {
  const { className: colour, shape } = shapes[variant]
  return (
    <svg
      aria-hidden
      width={sizePx}
      height={sizePx}
      viewBox="0 0 10 10"
      data-variant={variant}
      className={clsx('shrink-0', colour, className)}
    >
      {shape}
    </svg>
  )
}
