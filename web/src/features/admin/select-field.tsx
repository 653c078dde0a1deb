import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { FieldFrame, inputClass } from '../../components/ui/field.tsx'

/** A labelled list to choose one of. */
export function SelectField<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label}>
      <span className="relative block">
        <select
          id={id}
          value={value}
          onChange={(event) => {
            const option = options.find((each) => each.value === event.target.value)
            if (option) onChange(option.value)
          }}
          className={clsx(inputClass, 'h-11 appearance-none pr-9')}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          size={16}
          className="pointer-events-none absolute inset-y-0 right-3 my-auto text-ink-faint"
        />
      </span>
    </FieldFrame>
  )
}
