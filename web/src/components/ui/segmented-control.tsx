import clsx from 'clsx'
import { RadioGroup as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { direction } from '../../lib/text/locale.ts'
import { chooseOption } from './choose-option.ts'

interface SegmentedControlProps<Value extends string> {
  /** accessible name of the group */
  label: string
  value: Value
  options: readonly { value: Value; label: string; icon?: ReactNode }[]
  onChange: (value: Value) => void
}

/** A radio group shown as adjacent buttons; a third of the width each on a phone. */
export function SegmentedControl<Value extends string>({
  label,
  value,
  options,
  onChange,
}: SegmentedControlProps<Value>) {
  return (
    <Radix.Root
      dir={direction}
      aria-label={label}
      value={value}
      onValueChange={(selected) => chooseOption(options, selected, onChange)}
      orientation="horizontal"
      className="inline-flex gap-0.5 rounded-md bg-surface-hover p-0.5 max-sm:grid max-sm:grid-cols-3"
    >
      {options.map((option) => (
        <Radix.Item
          key={option.value}
          value={option.value}
          className={clsx(
            'inline-flex h-8 cursor-pointer items-center justify-center gap-1.5 rounded-sm px-3 text-sm font-medium text-ink-muted max-sm:h-10',
            'data-[state=checked]:bg-[light-dark(var(--color-surface-raised),var(--color-surface-pressed))] data-[state=checked]:text-ink data-[state=checked]:shadow-rest',
            'data-[state=checked]:[&>svg]:text-accent-ink forced-colors:data-[state=checked]:outline-2',
          )}
        >
          {option.icon}
          {option.label}
        </Radix.Item>
      ))}
    </Radix.Root>
  )
}
