import type { ElicitationField, FieldValue, FormContent } from './contracts/elicitation.ts'

/** Longer texts do not belong in a form. */
export const maxFieldCharacters = 4_000

const formats: Readonly<
  Record<NonNullable<ElicitationField['format']>, { isValid: (text: string) => boolean; userMessage: string }>
> = {
  email: {
    isValid: (text) => /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text) && text.length <= 254,
    userMessage: 'Enter an e-mail address.',
  },
  uri: {
    isValid: (text) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text),
    userMessage: 'Enter a complete address, such as https://example.com.',
  },
  date: { isValid: isDate, userMessage: 'Enter a date, such as 2026-12-31.' },
  'date-time': {
    isValid: (text) =>
      isDate(text.slice(0, 10)) &&
      /^[0-9-]{10}[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(
        text,
      ),
    userMessage: 'Enter a date and a time with its zone, such as 2026-12-31T18:30:00Z.',
  },
}

/** Whether a text is a day of the calendar (RFC 3339 full-date). */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const formatRange = (verb: string, { min, max }: ElicitationField, unit = '') => {
  if (min !== undefined && max !== undefined)
    return min === max ? `${verb} exactly ${min}${unit}.` : `${verb} ${min} to ${max}${unit}.`
  return min === undefined ? `${verb} at most ${max}${unit}.` : `${verb} at least ${min}${unit}.`
}

const isWithin = (size: number, { min = -Infinity, max = Infinity }: ElicitationField) =>
  size >= min && size <= max

/**
 * Checks a value of a field.
 * @param value undefined: left empty
 * @returns a sentence that says what to enter; undefined if the value may be sent
 */
export function findFieldProblem(field: ElicitationField, value: FieldValue | undefined): string | undefined {
  const { type, format, required, options = [] } = field
  if (value === undefined) return required ? 'Fill in this field.' : undefined
  const isOption = (text: string) => options.some((option) => option.value === text)
  switch (type) {
    case 'text':
      if (typeof value !== 'string') return 'Enter a text.'
      if (value.length > maxFieldCharacters) return `Enter at most ${maxFieldCharacters} characters.`
      if (format !== undefined && !formats[format].isValid(value)) return formats[format].userMessage
      // characters as JSON Schema counts them: code points
      return isWithin(Array.from(value).length, field)
        ? undefined
        : formatRange('Enter', field, ' characters')
    case 'number':
    case 'integer':
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'Enter a number.'
      if (type === 'integer' && !Number.isSafeInteger(value)) return 'Enter a whole number.'
      return isWithin(value, field) ? undefined : formatRange('Enter', field)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'Choose yes or no.'
    case 'choice':
      return typeof value === 'string' && isOption(value) ? undefined : 'Choose one of the options.'
    case 'choices':
      if (!Array.isArray(value) || !value.every(isOption) || new Set(value).size !== value.length)
        return 'Choose among the options.'
      return isWithin(value.length, field) ? undefined : formatRange('Choose', field)
  }
}

/** @returns what is wrong, by the names of fields; a name that the form does not have is wrong too */
export function findFormProblems(
  fields: readonly ElicitationField[],
  content: FormContent,
): Record<string, string> {
  const values = new Map(Object.entries(content))
  const problems = fields.map((field) => [field.name, findFieldProblem(field, values.get(field.name))])
  const unknown = [...values.keys()].filter((name) => !fields.some((field) => field.name === name))
  return Object.fromEntries([
    ...problems.filter(([, problem]) => problem !== undefined),
    ...unknown.map((name) => [name, 'The form has no such field.']),
  ]) as Record<string, string>
}
