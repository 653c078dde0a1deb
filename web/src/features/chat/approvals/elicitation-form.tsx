import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { useId, useState } from 'react'
import { getOwn } from '#shared/get-own.ts'
import type { ElicitationField } from '#shared/contracts/elicitation.ts'
import { FieldError, FieldFrame, fieldAttributes, inputClass } from '../../../components/ui/field.tsx'
import { SelectField } from '../../../components/ui/select-field.tsx'
import type { AllValues, FormRequest, FormValues } from './elicitation-values.ts'
import { bind, type TextInput } from '../../../lib/input/text-input.ts'
import type { Input } from '../../../lib/input/use-input.ts'

/** A longer text gets a field with several lines. */
const singleLineCharacters = 200

const inputTypes = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const

function getInputType({ type, format }: ElicitationField) {
  if (type !== 'text') return 'number'
  return format === undefined ? 'text' : inputTypes[format]
}

type CardInput = Input<{ values: AllValues; isReviewing: boolean }>

/** The fields of a form, with the error messages of invalid ones. @param problems error messages by the name of the field */
export function ElicitationForm({
  request: { key, fields },
  input,
  problems,
  disabled,
}: {
  request: FormRequest
  /** the input of the card, which may have several forms */
  input: CardInput
  problems: Readonly<Record<string, string>>
  disabled: boolean
}) {
  const set = (entered: CardInput['value'], name: string, value: FormValues[string]) => ({
    ...entered,
    values: { ...entered.values, [key]: { ...entered.values[key], [name]: value } },
  })
  return fields.map((field) => {
    const getValue = ({ values }: CardInput['value']) => getOwn(getOwn(values, key) ?? {}, field.name) ?? ''
    return (
      <FormField
        key={field.name}
        field={field}
        value={getValue(input.value)}
        text={input.part(
          (entered) => String(getValue(entered)),
          (entered, text) => set(entered, field.name, text),
        )}
        problem={getOwn(problems, field.name)}
        disabled={disabled}
        onChange={(value) => input.change(set(input.value, field.name, value))}
      />
    )
  })
}

interface FormFieldProps {
  field: ElicitationField
  value: FormValues[string]
  /** the same value, for a text field */
  text: TextInput
  problem: string | undefined
  disabled: boolean
  onChange: (value: FormValues[string]) => void
}

function FormField(props: FormFieldProps) {
  const { field, value } = props
  if (typeof value === 'boolean') return <CheckboxField {...props} checked={value} />
  if (typeof value === 'object') return <ChoicesField {...props} chosen={value} />
  return field.type === 'choice' ? <ChoiceField {...props} chosen={value} /> : <TextField {...props} />
}

const formatLabel = ({ label, required }: ElicitationField) =>
  required ? label : `${label} (${t`optional`})`

function TextField({ field, text, problem, disabled }: FormFieldProps) {
  const id = useId()
  // a server that sets no limit is expected to want a short text
  const { type, format, description, max = 0, required } = field
  const attributes = {
    ...fieldAttributes(id, problem, description),
    disabled,
    'aria-required': required,
    // autofill would send the user's data to an untrusted server
    autoComplete: 'off',
  }
  // of the first text: a field that is being edited stays the same
  const [hasLines] = useState(text.value.includes('\n'))
  const isLong = type === 'text' && format === undefined && (max > singleLineCharacters || hasLines)
  const inputType = getInputType(field)
  return (
    <FieldFrame id={id} label={formatLabel(field)} error={problem} hint={description}>
      {isLong ? (
        <textarea {...attributes} {...bind(text)} rows={4} className={clsx(inputClass, 'py-2.5')} />
      ) : (
        <input
          {...attributes}
          {...bind(text)}
          type={inputType}
          {...(inputType === 'number' && { step: type === 'integer' ? 1 : 'any' })}
          className={clsx(inputClass, 'h-11')}
        />
      )}
    </FieldFrame>
  )
}

function ChoiceField({ field, chosen, problem, disabled, onChange }: FormFieldProps & { chosen: string }) {
  return (
    <SelectField
      label={formatLabel(field)}
      value={chosen}
      options={[{ value: '', label: t`Choose…` }, ...(field.options ?? [])]}
      onChange={onChange}
      error={problem}
      hint={field.description}
      disabled={disabled}
      isRequired={field.required}
    />
  )
}

const boxClass = 'mt-1 size-4 shrink-0 accent-(--color-accent)'
const rowClass = 'flex min-h-6 gap-2.5 max-sm:min-h-11 max-sm:items-center'

function CheckboxField({
  field,
  checked,
  problem,
  disabled,
  onChange,
}: FormFieldProps & { checked: boolean }) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label className={rowClass}>
        <input
          {...fieldAttributes(id, problem, field.description)}
          type="checkbox"
          checked={checked}
          disabled={disabled}
          className={boxClass}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className="wrap-anywhere">{field.label}</span>
      </label>
      <CheckboxNote id={id} problem={problem} description={field.description} />
    </div>
  )
}

function ChoicesField({
  field,
  chosen,
  problem,
  disabled,
  onChange,
}: FormFieldProps & { chosen: readonly string[] }) {
  const id = useId()
  const { 'aria-describedby': describedBy } = fieldAttributes(id, problem, field.description)
  return (
    <fieldset className="grid gap-1.5" aria-describedby={describedBy}>
      <legend className="mb-1.5 font-medium">{formatLabel(field)}</legend>
      {field.options?.map(({ value, label }) => (
        <label key={value} className={rowClass}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            disabled={disabled}
            aria-invalid={problem !== undefined || undefined}
            className={boxClass}
            onChange={(event) =>
              onChange(
                event.target.checked ? [...chosen, value] : chosen.filter((option) => option !== value),
              )
            }
          />
          <span className="wrap-anywhere">{label}</span>
        </label>
      ))}
      <CheckboxNote id={id} problem={problem} description={field.description} />
    </fieldset>
  )
}

/** The error of checkboxes, or their description. */
function CheckboxNote({
  id,
  problem,
  description,
}: {
  id: string
  problem: string | undefined
  description: string | undefined
}) {
  return (
    <>
      <FieldError id={id} error={problem} />
      {problem === undefined && description !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-ink-faint">
          {description}
        </p>
      )}
    </>
  )
}
