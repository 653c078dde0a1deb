import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { Popover as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button.tsx'
import { popoverClass, popoverPosition } from './popover-style.ts'

/**
 * A popover beside its button: `<Popover><PopoverTrigger asChild>…`, or `<Popover><PopoverAnchor virtualRef={…} /><PopoverContent
 * aria-label="…">…`.
 */
export const Popover = Radix.Root
/** The button of a popover; `asChild` makes its child the button. */
export const PopoverTrigger = Radix.Trigger
/** Where a popover opens, if that is not its trigger. */
export const PopoverAnchor = Radix.Anchor

/** The content of a popover, beside its trigger or anchor. */
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

interface PickerPopoverProps {
  /** accessible name of the list */
  title: string
  /** the content of the button */
  button: ReactNode
  /** the button's name, if its content does not say it */
  label?: string
  children: ReactNode
}

/** A small button that opens a list of choices above it. */
export const PickerPopover = ({ title, button, label, children }: PickerPopoverProps) => (
  <Popover>
    <PopoverTrigger asChild>
      <Button variant="ghost" size="compact" aria-label={label} className="max-w-full">
        {button}
        <ChevronDown aria-hidden size={16} className="shrink-0" />
      </Button>
    </PopoverTrigger>
    <PopoverContent
      aria-label={title}
      side="top"
      align="start"
      className="max-h-(--radix-popover-content-available-height) overflow-y-auto p-1.5"
    >
      {children}
    </PopoverContent>
  </Popover>
)
