import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Tooltip } from './tooltip.tsx'

/** lg: 40 px in bars of their own; md: 36 px; sm and touch: 28 px; narrow: beside another one. On a phone 44, 44, 36, 44 and 44. */
type IconButtonSize = 'lg' | 'md' | 'sm' | 'touch' | 'narrow'

const sizeClasses: Record<IconButtonSize, string> = {
  lg: 'size-10 rounded-sm max-sm:size-11',
  md: 'size-9 rounded-sm max-sm:size-11',
  sm: 'size-7 rounded-chip max-sm:size-9',
  touch: 'size-7 rounded-chip max-sm:size-11',
  narrow: 'h-9 w-6 rounded-sm max-sm:h-11 max-sm:w-8',
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** accessible name and tooltip */
  label: string
  /** further text in the tooltip, which describes the button to screen readers while it is open */
  description?: ReactNode
  /** a lucide icon, of 20 px in bars and about 16 px in rows; or a spinner */
  icon: ReactNode
  size?: IconButtonSize
  /**
   * false for an icon that is known without it, such as the cross or a bin, for a button that opens a menu, and where it would take the
   * Escape that closes a panel
   */
  tooltip?: boolean
}

/** A button with only an icon and an accessible name. */
export function IconButton({
  label,
  description,
  icon,
  size = 'md',
  tooltip = true,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  const button = (
    <button
      {...rest}
      type={type}
      aria-label={label}
      className={clsx(
        'inline-grid shrink-0 place-items-center text-ink-muted transition-colors duration-(--duration-fast)',
        'hover:bg-surface-hover hover:text-ink',
        'disabled:cursor-not-allowed disabled:bg-transparent disabled:text-ink-disabled',
        // it can be focused, and its tooltip says why it is not available
        'aria-disabled:cursor-not-allowed aria-disabled:bg-transparent aria-disabled:text-ink-disabled',
        sizeClasses[size],
        className,
      )}
    >
      {icon}
    </button>
  )
  if (!tooltip) return button
  return (
    <Tooltip
      text={
        description === undefined ? (
          label
        ) : (
          <>
            {label}
            <br />
            {description}
          </>
        )
      }
    >
      {button}
    </Tooltip>
  )
}
