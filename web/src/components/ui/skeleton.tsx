import clsx from 'clsx'

/** A placeholder in the shape of the content that is loading; size and radius by `className`. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={clsx('skeleton block animate-breathe bg-surface-hover', className)} />
}
