import clsx from 'clsx'

/** ok: dot, warn: triangle, bad: diamond, off: ring; shape and colour both say it. */
export type StatusTone = 'ok' | 'warn' | 'bad' | 'off'

const shapes: Record<StatusTone, { className: string; shape: React.ReactNode }> = {
  ok: { className: 'text-success', shape: <circle cx="5" cy="5" r="4" fill="currentColor" /> },
  warn: { className: 'text-warning', shape: <path d="M5 .8 9.6 9H.4z" fill="currentColor" /> },
  bad: { className: 'text-danger', shape: <path d="M5 .3 9.7 5 5 9.7.3 5z" fill="currentColor" /> },
  off: {
    className: 'text-line-control',
    shape: <circle cx="5" cy="5" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  },
}

/** How something stands, 10 px; the words stand beside it. */
export function StatusGlyph({ tone, className }: { tone: StatusTone; className?: string }) {
  const { className: colour, shape } = shapes[tone]
  return (
    <svg
      aria-hidden
      viewBox="0 0 10 10"
      data-tone={tone}
      className={clsx('size-2.5 shrink-0', colour, className)}
    >
      {shape}
    </svg>
  )
}
