import clsx from 'clsx'
import { RadioGroup as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface SegmentsProps<Value extends string> {
  /** names the group */
  label: string
  value: Value
  choices: readonly { value: Value; label: string; icon?: ReactNode }[]
  onChange: (value: Value) => void
}

/** One of a few, side by side on a page; a third of the width each on a phone. */
export function Segments<Value extends string>({ label, value, choices, onChange }: SegmentsProps<Value>) {
  const choose = (chosen: string) => {
    const choice = choices.find((each) => each.value === chosen)
    if (choice) onChange(choice.value)
  }
  return (
    <Radix.Root
      aria-label={label}
      value={value}
      onValueChange={choose}
      orientation="horizontal"
      className="inline-flex gap-0.5 rounded-md bg-surface-hover p-0.5 max-sm:grid max-sm:grid-cols-3"
    >
      {choices.map((choice) => (
        <Radix.Item
          key={choice.value}
          value={choice.value}
          className={clsx(
            'inline-flex h-8 cursor-pointer items-center justify-center gap-1.5 rounded-sm px-3 text-sm font-medium text-ink-muted max-sm:h-10',
            'data-[state=checked]:bg-[light-dark(var(--color-surface-raised),var(--color-surface-pressed))] data-[state=checked]:text-ink data-[state=checked]:shadow-rest',
            'data-[state=checked]:[&>svg]:text-accent-ink forced-colors:data-[state=checked]:outline-2',
          )}
        >
          {choice.icon}
          {choice.label}
        </Radix.Item>
      ))}
    </Radix.Root>
  )
}
