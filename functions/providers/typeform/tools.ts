import * as z from 'zod'
import { type ApiClient, capability, type Capability } from '../capability.ts'
import { cleanText } from '../../platform/untrusted-text.ts'
import { limit, linkField, singleLine, findByNameOrId, shortText, searchTerm } from '../schemas.ts'

const forms = z.object({
  total_items: z.number(),
  items: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      last_updated_at: z.string().optional(),
      _links: z.object({ display: linkField }).optional(),
    }),
  ),
})
const answer = z.looseObject({
  type: z.string().default(''),
  field: z.object({ id: z.string().default('') }).default({ id: '' }),
})
const responses = z.object({
  total_items: z.number(),
  items: z.array(
    z.object({
      token: z.string().optional(),
      response_id: z.string().optional(),
      submitted_at: z.string().optional(),
      answers: z.array(answer).nullish(),
    }),
  ),
})
const question = z.object({ id: z.string(), title: z.string().default('') })
const definition = z.object({
  fields: z
    .array(question.extend({ properties: z.object({ fields: z.array(question).default([]) }).optional() }))
    .default([]),
})

const listForms = (api: ApiClient, search: string | undefined, maxRows: number) =>
  api.get(forms, '/forms', { page_size: maxRows, search: search || undefined })

/** `other` is what the respondent entered instead of a choice, or in addition */
const choices = z.object({
  label: z.string().nullish(),
  labels: z.array(z.string()).nullish(),
  other: z.string().nullish(),
})

/** An answer's value is in the property named after its type; choices have labels. */
function formatAnswer(one: z.output<typeof answer>): string {
  const value = one[one.type]
  if (typeof value === 'string') return value
  const { data } = choices.safeParse(value)
  const labels = data ? [data.label, ...(data.labels ?? []), data.other].filter((label) => label) : []
  return labels.length > 0 ? labels.join(', ') : JSON.stringify(value ?? '')
}

/** Read-only, because the requested scopes are. */
export const tools: readonly Capability[] = [
  capability({
    id: 'list_forms',
    name: 'List forms',
    description: 'Lists the forms (surveys) of Typeform.',
    parameters: z.object({ query: searchTerm('the titles'), limit: limit('forms') }),
    examples: ['Which forms do I have on Typeform?'],
    async run(api, { query, limit: maxRows }) {
      const found = await listForms(api, query, maxRows)
      return {
        forms: found.items.map(({ id, title, last_updated_at, _links }) => ({
          title: shortText(title),
          updated: last_updated_at,
          link: _links?.display,
          id,
        })),
        more: found.total_items > found.items.length,
      }
    },
  }),
  capability({
    id: 'list_responses',
    name: 'List responses',
    description: 'Lists the responses (answers) to a Typeform form, newest first.',
    parameters: z.object({
      form: singleLine('title or id of the form; not needed if there is only one').optional(),
      limit: limit('responses'),
    }),
    examples: ['What did people answer in my Typeform survey?'],
    async run(api, { form, limit: maxRows }) {
      const all = (await listForms(api, undefined, 200)).items.map(({ id, title }) => ({ id, name: title }))
      const { id, name } = findByNameOrId(all, form, 'form')
      const path = `/forms/${encodeURIComponent(id)}`
      const [{ fields }, found] = await Promise.all([
        api.get(definition, path),
        api.get(responses, `${path}/responses`, { page_size: maxRows }),
      ])
      // a group of questions contains them
      const questions = fields.flatMap((field) => [field, ...(field.properties?.fields ?? [])])
      const titles = new Map(questions.map((one) => [one.id, one.title]))
      return {
        form: shortText(name),
        responses: found.items.map(({ token, response_id, submitted_at, answers }) => ({
          submitted: submitted_at,
          answers: (answers ?? [])
            .slice(0, 20)
            .map(
              (one) =>
                `${shortText(titles.get(one.field.id) || one.field.id)}: ${cleanText(formatAnswer(one), 300)}`,
            )
            .join('\n'),
          id: token ?? response_id,
        })),
        more: found.total_items > found.items.length,
      }
    },
  }),
]
