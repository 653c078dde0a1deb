import clsx from 'clsx'
import { Popover as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'

/** A small card beside its button: `<Popover><PopoverTrigger asChild>…</PopoverTrigger><PopoverContent aria-label="…">…`. */
export const Popover = Radix.Root
export const PopoverTrigger = Radix.Trigger

export function PopoverContent({ className, children, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        align="end"
        sideOffset={6}
        collisionPadding={8}
        {...rest}
        className={clsx(
          'z-(--z-popover) w-80 max-w-[calc(100vw-1rem)] rounded-lg bg-surface-overlay text-ui outline-none floating',
          'data-[state=open]:animate-rise data-[state=closed]:animate-sink',
          className,
        )}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  )
}
