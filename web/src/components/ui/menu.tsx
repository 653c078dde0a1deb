import clsx from 'clsx'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { direction } from '../../lib/text/locale.ts'
import { chooseOption } from './choose-option.ts'
import { preventDefault } from './overlay.ts'
import { popoverClass, popoverPosition } from './popover-style.ts'

/** A dropdown menu: `<Menu><MenuTrigger asChild>…</MenuTrigger><MenuContent>…</MenuContent></Menu>`. */
export const Menu = (props: ComponentProps<typeof Radix.Root>) => <Radix.Root dir={direction} {...props} />
/** The button of a menu; `asChild` makes its child the button. */
export const MenuTrigger = Radix.Trigger

/** The list of a menu, beside its trigger. */
export function MenuContent({
  className = 'min-w-60',
  children,
  ...rest
}: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        {...popoverPosition}
        {...rest}
        className={clsx(
          popoverClass,
          'max-h-(--radix-dropdown-menu-content-available-height) max-w-[min(20rem,calc(100vw-1rem))] overflow-y-auto p-1.5',
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
  /** the keyboard shortcut of the same action, as it is shown */
  shortcut?: string
  isDestructive?: boolean
}

/** An action of a menu. */
export function MenuItem({
  icon,
  shortcut,
  isDestructive = false,
  className,
  children,
  ...rest
}: MenuItemProps) {
  return (
    <Radix.Item
      {...rest}
      className={clsx(
        'flex min-h-9 w-full cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1 outline-none select-none max-sm:min-h-11',
        'data-highlighted:bg-surface-hover forced-colors:data-highlighted:outline-2 forced-colors:data-highlighted:-outline-offset-2 forced-colors:data-highlighted:outline-solid data-disabled:cursor-not-allowed data-disabled:text-ink-disabled',
        isDestructive
          ? 'text-danger-ink'
          : 'text-ink [&>svg]:text-ink-faint data-disabled:[&>svg]:text-ink-disabled',
        className,
      )}
    >
      {icon}
      {children}
      {shortcut !== undefined && <kbd className="ms-auto font-sans text-xs text-ink-faint">{shortcut}</kbd>}
    </Radix.Item>
  )
}

/** A line between two groups of items. */
export function MenuSeparator() {
  return <Radix.Separator className="my-1.5 h-px bg-line" />
}

interface MenuRadioGroupProps<Value extends string> {
  /** accessible name of the group */
  label: string
  value: Value
  options: readonly { value: Value; label: string; icon?: ReactNode }[]
  onChange: (value: Value) => void
}

/** A segmented control inside a menu, which stays open so that the effect is visible. */
export function MenuRadioGroup<Value extends string>({
  label,
  value,
  options,
  onChange,
}: MenuRadioGroupProps<Value>) {
  return (
    <Radix.RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(selected) => chooseOption(options, selected, onChange)}
      className="inline-flex w-full gap-0.5 rounded-md bg-surface-hover p-0.5"
    >
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          // the menu stays open
          onSelect={preventDefault}
          className={clsx(
            'inline-flex h-7 flex-1 cursor-pointer items-center justify-center gap-1.5 rounded-sm px-2 text-sm font-medium text-ink-muted outline-none max-sm:h-10',
            'data-highlighted:text-ink data-highlighted:outline-2 data-highlighted:-outline-offset-1 data-highlighted:outline-solid data-highlighted:outline-focus',
            'data-[state=checked]:bg-[light-dark(var(--color-surface-raised),var(--color-surface-pressed))] data-[state=checked]:text-ink data-[state=checked]:shadow-rest',
            'data-[state=checked]:[&>svg]:text-accent-ink forced-colors:data-[state=checked]:border',
          )}
        >
          {option.icon}
          {option.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}
