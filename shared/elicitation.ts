import { sayInput } from './sentences/inputs.ts'
import type { Sentence } from './sentences/sentence.ts'
import type { ElicitationField, FieldValue, FormContent } from './contracts/elicitation.ts'

/** Longer texts do not belong in a form. */
export const maxFieldCharacters = 4_000

const formats: Readonly<Record<NonNullable<ElicitationField['format']>, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text) && text.length <= 254,
  uri: (text) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text),
  date: isDate,
  'date-time': (text) =>
    isDate(text.slice(0, 10)) &&
    /^[0-9-]{10}[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(text),
}

/** Whether a text is a day of the calendar (RFC 3339 full-date). */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function describeRange(of: 'characters' | 'number' | 'choices', { min, max }: ElicitationField) {
  if (max === undefined) return sayInput(`form_field.${of}_min`, { min: min ?? 0 })
  if (min === undefined) return sayInput(`form_field.${of}_max`, { max })
  return min === max
    ? sayInput(`form_field.${of}_exact`, { max })
    : sayInput(`form_field.${of}_between`, { min, max })
}

const isWithin = (size: number, { min = -Infinity, max = Infinity }: ElicitationField) =>
  size >= min && size <= max

/**
 * Checks a value of a field.
 * @param value undefined: left empty
 * @returns a sentence that says what to enter; undefined if the value may be sent
 */
export function findFieldProblem(
  field: ElicitationField,
  value: FieldValue | undefined,
): Sentence | undefined {
  const { type, format, required, options = [] } = field
  if (value === undefined) return required ? sayInput('form_field.required') : undefined
  const isOption = (text: string) => options.some((option) => option.value === text)
  switch (type) {
    case 'text':
      if (typeof value !== 'string') return sayInput('form_field.text')
      if (value.length > maxFieldCharacters)
        return sayInput('form_field.too_long', { max: maxFieldCharacters })
      if (format !== undefined && !formats[format](value)) return sayInput(`form_field.${format}`)
      // characters as JSON Schema counts them: code points
      return isWithin(Array.from(value).length, field) ? undefined : describeRange('characters', field)
    case 'number':
    case 'integer':
      if (typeof value !== 'number' || !Number.isFinite(value)) return sayInput('form_field.number')
      if (type === 'integer' && !Number.isSafeInteger(value)) return sayInput('form_field.integer')
      return isWithin(value, field) ? undefined : describeRange('number', field)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : sayInput('form_field.boolean')
    case 'choice':
      return typeof value === 'string' && isOption(value) ? undefined : sayInput('form_field.choice')
    case 'choices':
      if (!Array.isArray(value) || !value.every(isOption) || new Set(value).size !== value.length)
        return sayInput('form_field.choices')
      return isWithin(value.length, field) ? undefined : describeRange('choices', field)
  }
}

/** @returns what is wrong, by the names of fields; a name that the form does not have is wrong too */
export function findFormProblems(
  fields: readonly ElicitationField[],
  content: FormContent,
): Record<string, Sentence> {
  const values = new Map(Object.entries(content))
  const problems = fields.map((field) => [field.name, findFieldProblem(field, values.get(field.name))])
  const unknown = [...values.keys()].filter((name) => !fields.some((field) => field.name === name))
  return Object.fromEntries([
    ...problems.filter(([, problem]) => problem !== undefined),
    ...unknown.map((name) => [name, sayInput('form_field.unknown')]),
  ]) as Record<string, Sentence>
}
