import clsx from 'clsx'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'

/** A menu that opens from a button: `<Menu><MenuTrigger asChild>…</MenuTrigger><MenuContent>…</MenuContent></Menu>`. */
export const Menu = Radix.Root
export const MenuTrigger = Radix.Trigger

export function MenuContent({ className, children, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        align="end"
        sideOffset={6}
        collisionPadding={8}
        {...rest}
        className={clsx(
          'z-(--z-popover) min-w-60 rounded-lg bg-surface-overlay p-1.5 text-ui floating',
          'data-[state=open]:animate-rise data-[state=closed]:animate-sink',
          className,
        )}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  )
}

interface MenuItemProps extends ComponentProps<typeof Radix.Item> {
  /** 16 px */
  icon?: ReactNode
  /** a key that does the same */
  shortcut?: string
  danger?: boolean
}

export function MenuItem({ icon, shortcut, danger = false, className, children, ...rest }: MenuItemProps) {
  return (
    <Radix.Item
      {...rest}
      className={clsx(
        'flex h-9 w-full cursor-pointer items-center gap-2.5 rounded-sm px-2.5 outline-none select-none max-sm:h-11',
        'data-highlighted:bg-surface-hover data-disabled:cursor-not-allowed data-disabled:text-ink-disabled',
        danger
          ? 'text-danger-ink'
          : 'text-ink [&>svg]:text-ink-faint data-disabled:[&>svg]:text-ink-disabled',
        className,
      )}
    >
      {icon}
      {children}
      {shortcut !== undefined && <kbd className="ml-auto font-sans text-xs text-ink-faint">{shortcut}</kbd>}
    </Radix.Item>
  )
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1.5 h-px bg-line" />
}
