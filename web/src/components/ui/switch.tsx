import { Switch as Radix } from 'radix-ui'
import { useId, type ComponentProps, type ReactNode } from 'react'

/** A setting with a switch, its label and its description. */
export function SwitchRow({
  label,
  checked,
  onChange,
  disabled = false,
  busy = false,
  children,
}: {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  busy?: boolean
  /** description of both states */
  children: ReactNode
}) {
  const id = useId()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-8 max-sm:gap-x-4">
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-about`} className="max-w-(--width-note) text-ink-muted">
          {children}
        </p>
      </div>
      <Switch
        id={id}
        checked={checked}
        onChange={onChange}
        disabled={disabled}
        busy={busy}
        aria-describedby={`${id}-about`}
      />
    </div>
  )
}

/** A switch whose name is elsewhere, or its `aria-label`. @param busy ignores presses, and keeps the focus, as a busy button does */
export function Switch({
  onChange,
  busy = false,
  ...rest
}: Omit<ComponentProps<typeof Radix.Root>, 'onChange' | 'onCheckedChange' | 'className'> & {
  onChange: (checked: boolean) => void
  busy?: boolean
}) {
  return (
    <Radix.Root
      {...rest}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onCheckedChange={(checked) => busy || onChange(checked)}
      className="group relative inline-block h-[26px] w-11 shrink-0 rounded-full border-[1.5px] border-line-control bg-surface-raised transition-colors duration-(--duration-base) before:absolute before:-inset-x-0 before:-inset-y-[9px] data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:cursor-not-allowed disabled:opacity-45 forced-colors:border-[ButtonText] forced-colors:data-[state=checked]:bg-[Highlight] forced-colors:disabled:border-[GrayText]"
    >
      <Radix.Thumb className="block size-4 translate-x-[3.5px] rounded-full bg-line-control transition-transform duration-(--duration-base) data-[state=checked]:translate-x-[21.5px] data-[state=checked]:bg-on-accent rtl:-translate-x-[3.5px] rtl:data-[state=checked]:-translate-x-[21.5px] forced-colors:bg-[ButtonText] forced-colors:data-[state=checked]:bg-[HighlightText]" />
    </Radix.Root>
  )
}
