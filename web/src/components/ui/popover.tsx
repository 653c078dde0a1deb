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
  /** of 16 px */
  icon: ReactNode
  /** the words of the button */
  button: ReactNode
  /** the name of the button */
  label: string
  children: ReactNode
}

/**
 * A small button that opens a list of choices above it. On a phone only its icon is shown where there is little room: inside of an element with
 * `data-icons-only`.
 */
export const PickerPopover = ({ title, icon, button, label, children }: PickerPopoverProps) => (
  <Popover>
    <PopoverTrigger asChild>
      <Button
        variant="ghost"
        size="compact"
        aria-label={label}
        className="max-w-full min-w-0 max-sm:in-data-icons-only:size-11 max-sm:in-data-icons-only:px-0"
      >
        {icon}
        <span className="flex min-w-0 items-center gap-1.5 max-sm:in-data-icons-only:hidden">
          {button}
          <ChevronDown aria-hidden size={16} className="shrink-0" />
        </span>
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
