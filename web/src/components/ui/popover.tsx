import clsx from 'clsx'
import { Popover as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { floatingLook, floatingPlace } from './popover-style.ts'

/** A small card beside its button: `<Popover><PopoverAnchor virtualRef={…} /><PopoverContent aria-label="…">…`. */
export const Popover = Radix.Root
/** Beside what it opens. */
export const PopoverAnchor = Radix.Anchor

export function PopoverContent({ className, children, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        {...floatingPlace}
        {...rest}
        className={clsx(floatingLook, 'w-80 max-w-[calc(100vw-1rem)] outline-none', className)}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  )
}
