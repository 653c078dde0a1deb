import * as z from 'zod'
import { capability, type Capability } from '../capability.ts'
import { shortText } from '../schemas.ts'

const objectsPath = '/crm/objects/2026-03'

const property = z
  .string()
  .nullable()
  .transform((value) => value && shortText(value))
const row = z
  .object({ id: z.string(), properties: z.record(z.string(), property).default({}) })
  .transform(({ id, properties }) => ({ ...properties, id }))
const listResponse = z.object({
  results: z.array(row).default([]),
  paging: z.object({ next: z.object({ after: z.string() }).optional() }).optional(),
})

/** A capability that lists CRM objects with the requested or the usual properties. */
function listCapability(
  object: 'contacts' | 'deals',
  {
    name,
    subject,
    defaultProperties,
    examples,
  }: { name: string; subject: string; defaultProperties: string; examples: string[] },
): Capability {
  return capability({
    id: `get_${object}`,
    name,
    description: `Lists ${subject} of HubSpot CRM.`,
    parameters: z.object({
      limit: z.number().int().min(1).max(100).default(10).describe(`how many ${object}`),
      properties: z
        .array(z.string().regex(/^[a-z0-9_]{1,100}$/))
        .max(50)
        .optional()
        .describe(`internal names of the properties to show; the usual ones are ${defaultProperties}`),
    }),
    examples,
    async run(api, { limit, properties }) {
      const requestedProperties =
        properties && properties.length > 0 ? properties.join(',') : defaultProperties
      const query = { limit, properties: requestedProperties, archived: false }
      const { results, paging } = await api.get(listResponse, `${objectsPath}/${object}`, query)
      return { [object]: results, more: paging?.next !== undefined }
    },
  })
}

export const tools: readonly Capability[] = [
  listCapability('contacts', {
    name: 'Read contacts',
    subject: 'contacts (people, customers)',
    defaultProperties: 'firstname,lastname,email,phone',
    examples: ['Show my HubSpot contacts'],
  }),
  listCapability('deals', {
    name: 'Read deals',
    subject: 'deals (sales, opportunities)',
    defaultProperties: 'dealname,amount,dealstage,closedate',
    examples: ['Which deals are open?'],
  }),
]
