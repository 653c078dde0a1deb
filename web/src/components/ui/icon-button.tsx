import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Tooltip } from './tooltip.tsx'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** the name for screen readers, and the tooltip */
  label: string
  /** said in the tooltip, and to screen readers, beside the name */
  description?: string
  /** a lucide icon: 20 px in bars, 16 px in rows */
  icon: ReactNode
  /** md 36 px (44 on a phone), sm 28 px (36 on a phone) */
  size?: 'md' | 'sm'
  /** false where the label stands beside the icon already, or a menu opens */
  tooltip?: boolean
}

/** A button that is only an icon, never without a name. */
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
