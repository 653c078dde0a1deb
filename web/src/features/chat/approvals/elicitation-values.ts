import type { Elicitation, ElicitationField, FieldValue, FormContent } from '#shared/contracts/elicitation.ts'
import { findFormProblems } from '#shared/elicitation.ts'
import { getOwn } from '#shared/get-own.ts'
import { toLocalTime } from '../../../lib/text/dates.ts'
import { translateSentence } from '../../../lib/text/translate.ts'

/** A form that a server asks the user to fill in. */
export type FormRequest = Extract<Elicitation, { mode: 'form' }>
/** A web page that a server asks the user to open. */
export type PageRequest = Extract<Elicitation, { mode: 'url' }>

/** The values of a form's controls, by field name: the text of a field, whether a box is checked, or the chosen options. */
export type FormValues = Readonly<Record<string, string | boolean | readonly string[]>>
/** The values of each form, by the key of its request. */
export type AllValues = Readonly<Record<string, FormValues>>

function getInitialValue({ type, format, default: value }: ElicitationField): FormValues[string] {
  if (type === 'boolean') return value === true
  if (type === 'choices') return Array.isArray(value) ? value : []
  if (value === undefined) return ''
  return format === 'date-time' ? toLocalTime(String(value)) : String(value)
}

/** The initial values of all forms: the server's defaults. */
export const getInitialValues = (requests: readonly Elicitation[]): AllValues =>
  Object.fromEntries(
    requests
      .filter((request) => request.mode === 'form')
      .map(({ key, fields }) => [
        key,
        Object.fromEntries(fields.map((field) => [field.name, getInitialValue(field)])),
      ]),
  )

/** Converts the value of a control to the value that is sent. @returns undefined for a field that is left empty */
function toFieldValue({ type, format, required, min = 0 }: ElicitationField, value: FormValues[string]) {
  if (typeof value === 'boolean') return value
  if (typeof value === 'object') return value.length === 0 && !required && min === 0 ? undefined : [...value]
  if (value === '') return undefined
  if (type === 'number' || type === 'integer') return Number(value)
  if (format !== 'date-time') return value
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? value : date.toISOString()
}

/** Converts the values of a form to the content that is sent. Fields that are left empty are not part of it. */
export const toContent = ({ fields }: FormRequest, values: FormValues): FormContent =>
  Object.fromEntries(
    fields.flatMap((field): [string, FieldValue][] => {
      const value = toFieldValue(field, getOwn(values, field.name) ?? '')
      return value === undefined ? [] : [[field.name, value]]
    }),
  )

/** The error message of each invalid field, by field name. */
export const findProblems = (request: FormRequest, values: FormValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(findFormProblems(request.fields, toContent(request, values))).map(([name, problem]) => [
      name,
      translateSentence(problem),
    ]),
  )
