import clsx from 'clsx'
import { useId, type ReactNode } from 'react'

interface Choice<Value extends string> {
  value: Value
  label: string
  /** 16 px */
  icon?: ReactNode
}

/** One of a few, all visible: native radio buttons drawn as segments. */
export function Segmented<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  /** names the group for screen readers */
  label: string
  value: Value
  choices: readonly Choice<Value>[]
  onChange: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset className="inline-flex gap-0.5 rounded-md bg-surface-hover p-0.5">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className={clsx(
            'inline-flex h-7 cursor-pointer items-center gap-1.5 rounded-sm px-2 text-sm font-medium max-sm:h-10',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
            choice.value === value
              ? 'bg-[light-dark(var(--color-surface-raised),var(--color-surface-pressed))] text-ink shadow-rest outline outline-line-strong [&>svg]:text-accent-ink'
              : 'text-ink-muted',
          )}
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className="sr-only"
          />
          {choice.icon}
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}
