import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { fieldAttributes, FieldFrame, inputClass } from './field.tsx'

/** A `select` with its label. */
export function SelectField<Value extends string>({
  label,
  value,
  options,
  onChange,
  error,
  hint,
  disabled = false,
  isRequired = false,
}: {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  error?: string | undefined
  hint?: string | undefined
  disabled?: boolean
  isRequired?: boolean
}) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <span className="relative block">
        <select
          {...fieldAttributes(id, error, hint)}
          value={value}
          disabled={disabled}
          aria-required={isRequired || undefined}
          onChange={(event) => {
            const option = options.find((each) => each.value === event.target.value)
            if (option) onChange(option.value)
          }}
          className={clsx(inputClass, 'h-11 appearance-none pe-9')}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <SelectArrow />
      </span>
    </FieldFrame>
  )
}

/** The arrow of a `select` without its own; the parent is `relative`. */
export const SelectArrow = () => (
  <ChevronDown
    aria-hidden
    size={16}
    className="pointer-events-none absolute inset-y-0 end-3 my-auto text-ink-faint"
  />
)
