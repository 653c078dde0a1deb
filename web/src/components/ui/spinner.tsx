import { LoaderCircle } from 'lucide-react'
import clsx from 'clsx'

/** A spinner. Not announced: use text beside it, or `aria-busy`. */
export function Spinner({ size = 16, className }: { size?: 12 | 16 | 20; className?: string }) {
  return <LoaderCircle aria-hidden size={size} className={clsx('shrink-0 animate-spin', className)} />
}
