import clsx from 'clsx'
import { Popover as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { popoverClass, popoverPosition } from './popover-style.ts'

/** A popover beside its button: `<Popover><PopoverTrigger asChild>…`, or `<Popover><PopoverAnchor virtualRef={…} /><PopoverContent aria-label="…">…`. */
export const Popover = Radix.Root
export const PopoverTrigger = Radix.Trigger
export const PopoverAnchor = Radix.Anchor

export function PopoverContent({ className, children, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        {...popoverPosition}
        {...rest}
        className={clsx(popoverClass, 'w-80 max-w-[calc(100vw-1rem)] outline-none', className)}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  )
}
