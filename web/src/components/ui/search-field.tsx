import clsx from 'clsx'
import { Search, X } from 'lucide-react'
import { useId, useRef, type ComponentProps } from 'react'
import { useEscape } from '../../lib/input/escape.ts'
import { bind, type TextInput } from '../../lib/input/text-input.ts'
import { inputClass } from './field.tsx'
import { IconButton } from './icon-button.tsx'
import { Spinner } from './spinner.tsx'

interface SearchFieldProps extends Pick<ComponentProps<'input'>, 'inputMode' | 'autoCapitalize'> {
  label: string
  clearLabel: string
  input: TextInput
  isSearching: boolean
  maxLength: number
  /** classes of the frame, for its width */
  className: string
}

/** A field that searches a list while the user types. Escape and a button clear it. */
export function SearchField({
  label,
  clearLabel,
  input,
  isSearching,
  className,
  ...attributes
}: SearchFieldProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const clear = () => {
    input.change('')
    field.current?.focus()
  }
  useEscape('field', input.value === '' ? undefined : clear, (target) => target === field.current)
  return (
    <div role="search" className={clsx('relative', className)}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <span className="pointer-events-none absolute inset-y-0 start-3.5 grid place-items-center text-ink-faint">
        {isSearching ? <Spinner /> : <Search aria-hidden size={16} />}
      </span>
      <input
        {...attributes}
        ref={field}
        id={id}
        type="text"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        placeholder={label}
        {...bind(input)}
        aria-busy={isSearching || undefined}
        className={clsx(inputClass, 'h-10 pe-11 ps-10 max-sm:h-11')}
      />
      {input.value !== '' && (
        <span className="absolute inset-y-0 end-1 grid place-items-center">
          <IconButton
            size="sm"
            label={clearLabel}
            tooltip={false}
            icon={<X size={16} />}
            onClick={clear}
            // the keyboard has Escape; Tab leads to the next field
            tabIndex={-1}
          />
        </span>
      )}
    </div>
  )
}
