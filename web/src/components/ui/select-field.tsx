import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useId, type ComponentProps } from 'react'
import { chooseOption } from './choose-option.ts'
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
      <Select
        {...fieldAttributes(id, error, hint)}
        value={value}
        options={options}
        onChange={onChange}
        disabled={disabled}
        aria-required={isRequired || undefined}
      />
    </FieldFrame>
  )
}

/** A `select` whose name is elsewhere. */
export function Select<Value extends string>({
  options,
  onChange,
  className,
  ...rest
}: Omit<ComponentProps<'select'>, 'onChange'> & {
  value: Value
  options: readonly { value: Value; label: string; lang?: string }[]
  onChange: (value: Value) => void
}) {
  return (
    <span className={clsx('relative block', className)}>
      <select
        {...rest}
        onChange={(event) => chooseOption(options, event.target.value, onChange)}
        className={clsx(inputClass, 'h-11 appearance-none pe-9')}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.lang}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        size={16}
        className="pointer-events-none absolute inset-y-0 end-3 my-auto text-ink-faint"
      />
    </span>
  )
}
