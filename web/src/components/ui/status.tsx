import type { ComponentProps } from 'react'
import { useHasRendered } from '../../lib/browser/use-has-rendered.ts'

/** A message that appears while the page is shown, and is announced then and whenever it changes. */
export function Status({ children, ...props }: ComponentProps<'div'>) {
  const hasRendered = useHasRendered()
  return (
    <div role="status" {...props}>
      {hasRendered && children}
    </div>
  )
}
