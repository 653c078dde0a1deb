import clsx from 'clsx'
import type { ComponentProps, MouseEvent } from 'react'
import { Spinner } from './spinner.tsx'

type ButtonVariant = 'primary' | 'outline' | 'floating' | 'soft' | 'ghost' | 'danger' | 'danger-solid'
/**
 * sm: 32 px in rows and bars; compact: as high, for quiet ones beside each other; pill: as high and round; icon: a square of 36 px;
 * md: 40 px; lg: 44 px in forms. On a phone 36, 36, 36, 44, 44 and 44.
 */
type ButtonSize = 'sm' | 'compact' | 'pill' | 'icon' | 'md' | 'lg'

interface ButtonStyle {
  variant?: ButtonVariant
  size?: ButtonSize
  /** whether the button is as wide as its container */
  block?: boolean
  className?: string | undefined
}

const variantClasses: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover',
  outline: 'border-line-strong bg-surface-raised text-ink hover:bg-surface-hover',
  floating: 'border-line-strong bg-surface-overlay text-ink shadow-float hover:bg-surface-hover',
  soft: 'border-transparent bg-accent-soft text-accent-ink hover:bg-accent-soft-hover',
  ghost: 'border-transparent text-ink-muted hover:bg-surface-hover hover:text-ink',
  danger: 'border-danger-line bg-surface-raised text-danger-ink hover:bg-danger-soft',
  'danger-solid': 'border-transparent bg-danger text-on-danger',
}

const sizeClasses: Record<ButtonSize, string> = {
  sm: 'h-8 gap-1.5 rounded-sm px-3 text-sm max-sm:h-9',
  compact: 'h-8 gap-1.5 rounded-sm px-2 text-sm max-sm:h-9',
  pill: 'h-8 gap-1.5 rounded-full px-3 text-sm max-sm:h-9',
  icon: 'size-9 rounded-sm max-sm:size-11',
  md: 'h-10 gap-2 rounded-md px-4 text-ui max-sm:h-11',
  lg: 'h-11 gap-2 rounded-md px-4 text-[0.9375rem]/5',
}

const disabledClass = 'cursor-not-allowed border-transparent bg-surface-hover text-ink-disabled'

function buildClass(state: string, { size = 'md', block = false, className }: ButtonStyle): string {
  return clsx(
    'inline-flex items-center justify-center border font-medium whitespace-nowrap no-underline',
    'transition-colors duration-(--duration-fast)',
    sizeClasses[size],
    state,
    block && 'w-full',
    className,
  )
}

/** The button's classes for other elements, such as links. */
export function buttonClass({ variant = 'outline', ...rest }: ButtonStyle = {}): string {
  return buildClass(variantClasses[variant], rest)
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'>, ButtonStyle {
  /** shows a spinner before the label and ignores clicks; focus and colours stay */
  busy?: boolean
}

/**
 * The standard button. Use `type="submit"` in forms; icons are 16 px and come first. With `aria-disabled` it looks disabled but can be
 * focused and clicked, for handlers that explain what is missing.
 */
export function Button({
  variant = 'outline',
  size = 'md',
  block = false,
  busy = false,
  disabled = false,
  'aria-disabled': ariaDisabled = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled}
      aria-disabled={busy || ariaDisabled || undefined}
      aria-busy={busy || undefined}
      onClick={click}
      className={buildClass(disabled || ariaDisabled === true ? disabledClass : variantClasses[variant], {
        size,
        block,
        className,
      })}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
