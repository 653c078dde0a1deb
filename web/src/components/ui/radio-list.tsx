import { RadioGroup } from 'radix-ui'
import { useEffect, useRef } from 'react'
import { direction } from '../../lib/text/locale.ts'
import { chooseOption } from './choose-option.ts'

interface RadioListProps<Value extends string> {
  /** accessible name of the group */
  label: string
  value: Value
  options: readonly { value: Value; label: string; hint?: string }[]
  onChange: (value: Value) => void
}

/**
 * A radio group of rows, with hints below their labels. The focus in it is on the selected row, also when that changes by itself, such as
 * when what was chosen last has loaded.
 */
export function RadioList<Value extends string>({ label, value, options, onChange }: RadioListProps<Value>) {
  const group = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (group.current?.contains(document.activeElement))
      group.current.querySelector<HTMLElement>('[aria-checked="true"]')?.focus()
  }, [value])
  return (
    <RadioGroup.Root
      ref={group}
      dir={direction}
      aria-label={label}
      value={value}
      onValueChange={(selected) => chooseOption(options, selected, onChange)}
      className="grid"
    >
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          value={option.value}
          className="group flex min-h-11 cursor-pointer items-start gap-3 rounded-sm px-2 py-2.5 text-start hover:bg-surface-hover"
        >
          <span
            aria-hidden
            className="mt-0.5 size-4 shrink-0 rounded-full border border-line-control group-data-[state=checked]:border-[5px] group-data-[state=checked]:border-accent"
          />
          <span className="min-w-0">
            <span className="block">{option.label}</span>
            {option.hint !== undefined && <span className="block text-sm text-ink-muted">{option.hint}</span>}
          </span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
