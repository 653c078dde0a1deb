import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Tooltip } from './tooltip.tsx'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** accessible name and tooltip */
  label: string
  /** further text in the tooltip, also read by screen readers */
  description?: string
  /** a lucide icon: 20 px in bars, 16 px in rows */
  icon: ReactNode
  /** md 36 px (44 on a phone), sm 28 px (36 on a phone) */
  size?: 'md' | 'sm'
  /** false if the label is already visible, or the button opens a menu */
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
        size === 'md' ? 'size-9 rounded-sm max-sm:size-11' : 'size-7 rounded-[6px] max-sm:size-9',
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
