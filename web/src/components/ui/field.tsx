import clsx from 'clsx'
import { CircleAlert } from 'lucide-react'
import { useId, type ComponentProps, type ReactNode } from 'react'
import { bind, type BindOptions, type TextInput } from '../../lib/input/text-input.ts'

interface FieldFrameProps {
  id: string
  label: string
  /** at the end of the label's line, and in the document after the control: Tab leads from one field to the next */
  labelAside?: ReactNode
  /** the error and how to fix it; announced */
  error?: string | undefined
  hint?: ReactNode
  children: ReactNode
}

/** A label, the control, and an error or a hint. Ids: `{id}-error`, `{id}-hint`. */
export function FieldFrame({ id, label, labelAside, error, hint, children }: FieldFrameProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-1.5 *:not-data-beside:col-span-full">
      <label htmlFor={id} data-beside="" className="font-medium">
        {label}
      </label>
      {children}
      {labelAside !== undefined && labelAside !== false && (
        <div data-beside="" className="col-start-2 row-start-1">
          {labelAside}
        </div>
      )}
      <FieldError id={id} error={error} />
      {error === undefined && hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-ink-faint">
          {hint}
        </p>
      )}
    </div>
  )
}

/** The error of a field or of a group of fields, announced. Its id is `{id}-error`, see `fieldAttributes`. */
export function FieldError({ id, error }: Pick<FieldFrameProps, 'id' | 'error'>) {
  return (
    // takes no space while it is empty, but stays in the accessibility tree, so that its first text is announced, too
    <div aria-live="polite" className="empty:absolute">
      {error !== undefined && (
        <p id={`${id}-error`} className="flex animate-fade gap-1.5 text-sm text-danger-ink">
          <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
          {error}
        </p>
      )}
    </div>
  )
}

/** The classes of an input, also for other controls that look like one. */
export const inputClass = clsx(
  'block w-full rounded-md border border-line-control bg-surface-raised px-3.5 text-base/6 text-ink',
  'hover:border-ink-faint aria-invalid:border-danger',
  'focus-visible:border-transparent focus-visible:outline-2 focus-visible:-outline-offset-1',
  'disabled:cursor-not-allowed disabled:border-line-strong disabled:bg-surface-hover disabled:text-ink-disabled',
)

/** The attributes that link a control to its error, or else to its hint. */
export function fieldAttributes(id: string, error: string | undefined, hint: ReactNode) {
  const hintId = hint === undefined ? undefined : `${id}-hint`
  const hasError = error !== undefined
  return {
    id,
    'aria-invalid': hasError || undefined,
    'aria-describedby': hasError ? `${id}-error` : hintId,
  }
}

/** Without attributes that would hold a text elsewhere than in its input. */
type FieldProps<Tag extends 'input' | 'textarea'> = BindOptions & {
  input: TextInput
} & Omit<ComponentProps<Tag>, 'id' | 'value' | 'defaultValue' | 'onChange' | 'onInput' | 'onCompositionEnd'>

/** The properties of a text field. */
export type TextFieldProps = FieldProps<'input'> & {
  label: string
  labelAside?: ReactNode
  error?: string | undefined
  hint?: ReactNode
  /** marks the field as invalid; the message is at another field */
  isInvalid?: boolean
  /** shown inside the field at its end: an icon button or a unit */
  trailing?: ReactNode
  /** room for it; by default that of an icon button */
  trailingWidth?: 'pe-12' | 'pe-20'
}

/** A text input with its label, 44 px high; 16 px text so that phones do not zoom. */
export function TextField({
  label,
  labelAside,
  error,
  hint,
  isInvalid = false,
  trailing,
  trailingWidth = 'pe-12',
  className,
  input,
  format,
  onInput,
  ...rest
}: TextFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} labelAside={labelAside} error={error} hint={hint}>
      <span className="relative block">
        <input
          {...rest}
          {...bind(input, { format, onInput })}
          {...fieldAttributes(id, error, hint)}
          {...(isInvalid && { 'aria-invalid': true })}
          className={clsx(inputClass, 'h-11', trailing !== undefined && trailingWidth, className)}
        />
        {trailing !== undefined && (
          <span className="absolute inset-y-0 end-1 grid place-items-center max-sm:end-0">{trailing}</span>
        )}
      </span>
    </FieldFrame>
  )
}

/** A text area with its label, as high as the user makes it. */
export function TextAreaField({
  label,
  error,
  hint,
  input,
  format,
  onInput,
  ...rest
}: FieldProps<'textarea'> & Pick<TextFieldProps, 'label' | 'error' | 'hint'>) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} error={error} hint={hint}>
      <textarea
        {...rest}
        {...bind(input, { format, onInput })}
        {...fieldAttributes(id, error, hint)}
        dir="auto"
        className={clsx(inputClass, 'resize-y py-2.5')}
      />
    </FieldFrame>
  )
}
