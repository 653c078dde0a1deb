import clsx from 'clsx'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { floatingLook, floatingPlace } from './popover-style.ts'

/** A menu that opens from a button: `<Menu><MenuTrigger asChild>…</MenuTrigger><MenuContent>…</MenuContent></Menu>`. */
export const Menu = Radix.Root
export const MenuTrigger = Radix.Trigger

export function MenuContent({ className, children, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        {...floatingPlace}
        {...rest}
        className={clsx(
          floatingLook,
          'max-h-(--radix-dropdown-menu-content-available-height) max-w-[min(20rem,calc(100vw-1rem))] min-w-60 overflow-y-auto p-1.5',
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

interface MenuChoiceProps<Value extends string> {
  /** names the group */
  label: string
  value: Value
  choices: readonly { value: Value; label: string; icon?: ReactNode }[]
  onChange: (value: Value) => void
}

/** One of a few, side by side inside a menu, which stays open: the effect can be seen at once. */
export function MenuChoice<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: MenuChoiceProps<Value>) {
  const choose = (chosen: string) => {
    const choice = choices.find((each) => each.value === chosen)
    if (choice) onChange(choice.value)
  }
  return (
    <Radix.RadioGroup
      aria-label={label}
      value={value}
      onValueChange={choose}
      className="inline-flex w-full gap-0.5 rounded-md bg-surface-hover p-0.5"
    >
      {choices.map((choice) => (
        <Radix.RadioItem
          key={choice.value}
          value={choice.value}
          onSelect={(event) => event.preventDefault()}
          className={clsx(
            'inline-flex h-7 flex-1 cursor-pointer items-center justify-center gap-1.5 rounded-sm px-2 text-sm font-medium text-ink-muted outline-none max-sm:h-10',
            'data-highlighted:text-ink data-highlighted:outline-2 data-highlighted:-outline-offset-1 data-highlighted:outline-focus',
            'data-[state=checked]:bg-[light-dark(var(--color-surface-raised),var(--color-surface-pressed))] data-[state=checked]:text-ink data-[state=checked]:shadow-rest',
            'data-[state=checked]:[&>svg]:text-accent-ink',
          )}
        >
          {choice.icon}
          {choice.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}
