import * as z from 'zod'
import { capability, type Capability } from './capability.ts'
import { cleanText } from '../platform/untrusted-text.ts'

const objects = '/crm/objects/2026-03'

const listed = z.object({
  results: z
    .array(z.object({ id: z.string(), properties: z.record(z.string(), z.string().nullable()).default({}) }))
    .default([]),
  paging: z.object({ next: z.object({ after: z.string() }).optional() }).optional(),
})

/** A capability that lists CRM objects with the requested or the usual properties. */
function listCapability(
  object: 'contacts' | 'deals',
  { name, words, usual, examples }: { name: string; words: string; usual: string; examples: string[] },
): Capability {
  return capability({
    id: `get_${object}`,
    name,
    description: `Lists ${words} of HubSpot CRM.`,
    parameters: z.object({
      limit: z.number().int().min(1).max(100).default(10).describe(`how many ${object}`),
      properties: z
        .array(z.string().regex(/^[a-z0-9_]{1,100}$/))
        .max(50)
        .optional()
        .describe(`internal names of the properties to show; the usual ones are ${usual}`),
    }),
    examples,
    async run(api, { limit, properties }, signal) {
      const requestedProperties = properties && properties.length > 0 ? properties.join(',') : usual
      const query = { limit, properties: requestedProperties, archived: false }
      const answer = listed.parse(await api.call(`${objects}/${object}`, { query }, signal))
      const rows = answer.results.map(({ id, properties: values }) => ({
        ...Object.fromEntries(
          Object.entries(values).map(([property, value]) => [
            property,
            value === null ? null : cleanText(value, 300),
          ]),
        ),
        id,
      }))
      return { [object]: rows, more: answer.paging?.next !== undefined }
    },
  })
}

export const hubspot: readonly Capability[] = [
  listCapability('contacts', {
    name: 'Read contacts',
    words: 'contacts (people, customers)',
    usual: 'firstname,lastname,email,phone',
    examples: ['Show my HubSpot contacts'],
  }),
  listCapability('deals', {
    name: 'Read deals',
    words: 'deals (sales, opportunities)',
    usual: 'dealname,amount,dealstage,closedate',
    examples: ['Which deals are open?'],
  }),
]
