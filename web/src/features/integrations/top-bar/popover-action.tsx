import type { ReactNode } from 'react'

/** The look of an action in the popover of a connection. */
export const actionClass =
  'flex h-9 w-full items-center gap-2.5 rounded-sm px-2.5 text-start hover:bg-surface-hover max-sm:h-11'

/** A button in the popover of a connection. */
export function PopoverAction({
  icon,
  isDestructive = false,
  disabled = false,
  onClick,
  children,
}: {
  icon: ReactNode
  isDestructive?: boolean
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onClick}
      className={`${actionClass} disabled:cursor-not-allowed disabled:opacity-60 ${isDestructive ? 'text-danger-ink' : 'text-ink [&>svg.lucide]:text-ink-faint'}`}
    >
      {icon}
      {children}
    </button>
  )
}
