import * as z from 'zod'
import type { Line } from './pdf-drawing.ts'
import type { Link } from './pdf-pieces.ts'

const text = z.string().catch('').default('')
const content = z.object({ str: text }).catch({ str: '' }).default({ str: '' })

const annotation = z.object({
  id: text,
  subtype: text,
  url: text,
  unsafeUrl: text,
  rect: z.array(z.number()).catch([]).default([]),
  /** corners of the lines that it marks */
  quadPoints: z
    .union([z.array(z.number()), z.instanceof(Float32Array).transform((points) => [...points])])
    .catch([])
    .default([]),
  hidden: z.boolean().catch(false).default(false),
  titleObj: content,
  contentsObj: content,
  // fields of forms
  fieldType: text,
  fieldName: text,
  alternativeText: text,
  fieldValue: z.unknown().optional(),
  checkBox: z.boolean().catch(false).default(false),
  radioButton: z.boolean().catch(false).default(false),
  pushButton: z.boolean().catch(false).default(false),
  password: z.boolean().catch(false).default(false),
  exportValue: text,
  buttonValue: z.unknown().optional(),
  options: z
    .array(z.object({ exportValue: z.unknown().optional(), displayValue: text }))
    .catch([])
    .default([]),
})
type Annotation = z.infer<typeof annotation>

/** Of one page. */
const maxLinks = 2_000

const toLine = (value: string) => value.replace(/\s+/g, ' ').trim()

type Drawn = ReadonlyMap<string, string>

/** @returns the value in words, or else what is drawn in its place; undefined if another button of the same group has it */
function formatValue(
  { fieldType, fieldValue, options, ...field }: Annotation,
  drawn: Drawn,
): string | undefined {
  const shown = toLine(drawn.get(field.id) ?? '')
  if (field.password) return '(hidden)'
  if (fieldType === 'Sig') return `${fieldValue ? '(signed)' : '(signature)'} ${shown}`.trimEnd()
  if (field.radioButton)
    return fieldValue === field.buttonValue && field.buttonValue !== null ? String(fieldValue) : undefined
  if (field.checkBox) return fieldValue === field.exportValue ? 'checked' : 'not checked'
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).map((value) => {
    const option = options.find(({ exportValue }) => exportValue === value)
    return option?.displayValue || (typeof value === 'string' ? value : '')
  })
  return toLine(values.join(', ')) || shown
}

function formatFields(fields: readonly Annotation[], drawn: Drawn): string[] {
  const names = new Set<string>()
  const lines: string[] = []
  for (const field of fields) {
    const name = toLine(field.alternativeText || field.fieldName)
    const value = formatValue(field, drawn)
    if (value !== undefined) lines.push(`${name}: ${value === '' ? '(empty)' : value}`)
    else if (
      !names.has(name) &&
      fields.every((one) => one.fieldName !== field.fieldName || formatValue(one, drawn) === undefined)
    )
      lines.push(`${name}: (no choice)`)
    names.add(name)
  }
  return lines
}

export const listStrikes = (annotations: readonly unknown[]): Line[] =>
  annotations
    .slice(0, maxLinks)
    .flatMap((one) => annotation.safeParse(one).data ?? [])
    .filter(({ subtype, hidden }) => subtype === 'StrikeOut' && !hidden)
    .flatMap(({ quadPoints, rect }) => {
      const corners = quadPoints.length >= 8 ? quadPoints : [...rect]
      const size = quadPoints.length >= 8 ? 8 : 4
      return Array.from({ length: Math.floor(corners.length / size) }, (_, index): Line => {
        const points = corners.slice(index * size, index * size + size)
        const [xs, ys] = [points.filter((__, at) => at % 2 === 0), points.filter((__, at) => at % 2 === 1)]
        return {
          from: Math.min(...xs),
          to: Math.max(...xs),
          // of a box around the letters, a little above its base line
          y: Math.min(...ys) + (Math.max(...ys) - Math.min(...ys)) * 0.45,
          thickness: 0,
        }
      })
    })

export const listLinks = (annotations: readonly unknown[]): Link[] =>
  annotations
    .slice(0, maxLinks)
    .flatMap((one) => annotation.safeParse(one).data ?? [])
    .flatMap(({ subtype, url, unsafeUrl, rect, hidden }) => {
      const address = url || unsafeUrl
      return subtype === 'Link' && address !== '' && !hidden && rect.length === 4
        ? { rect, url: address }
        : []
    })

/** @param drawn texts of annotations that are only drawn, by their ids @returns empty if the page has none */
export function formatAnnotations(annotations: readonly unknown[], drawn: Drawn = new Map()): string {
  const all = annotations
    .flatMap((one) => annotation.safeParse(one).data ?? [])
    .filter(({ hidden }) => !hidden)
  const fields = formatFields(
    all.filter(
      ({ subtype, pushButton, fieldType }) => subtype === 'Widget' && fieldType !== '' && !pushButton,
    ),
    drawn,
  )
  const comments = all
    .filter(({ subtype }) => !['Widget', 'Link', 'Popup'].includes(subtype))
    .flatMap(({ id, subtype, titleObj, contentsObj }) => {
      const author = toLine(titleObj.str)
      const comment = contentsObj.str.trim()
      const shown = toLine(drawn.get(id) ?? '')
      return [
        ...(comment === '' ? [] : [`${author === '' ? 'Comment' : `Comment by ${author}`}: ${comment}`]),
        ...(shown === '' || toLine(comment).includes(shown)
          ? []
          : [`${subtype === 'Stamp' ? 'Stamp' : 'Annotation'}: ${shown}`]),
      ]
    })
  return [...(fields.length > 0 ? ['Form fields:', ...fields] : []), ...comments].join('\n')
}
