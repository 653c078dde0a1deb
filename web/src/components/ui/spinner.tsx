import { LoaderCircle } from 'lucide-react'

/** A spinner. Not announced: use text beside it, or `aria-busy`. */
export const Spinner = ({ size = 16 }: { size?: 12 | 16 | 20 }) => (
  <LoaderCircle aria-hidden size={size} className="shrink-0 animate-spin" />
)
