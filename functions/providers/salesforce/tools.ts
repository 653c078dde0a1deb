import * as z from 'zod'
import { capability, type Capability } from '../capability.ts'
import { limit, singleLine, shortText, searchTerm } from '../schemas.ts'

const objects = {
  accounts: { object: 'Account', fields: ['Name', 'Industry', 'Phone', 'Website'] },
  contacts: { object: 'Contact', fields: ['Name', 'Email', 'Phone', 'Title'] },
  leads: { object: 'Lead', fields: ['Name', 'Company', 'Email', 'Status'] },
  opportunities: { object: 'Opportunity', fields: ['Name', 'StageName', 'Amount', 'CloseDate'] },
} as const
const kinds = ['accounts', 'contacts', 'leads', 'opportunities'] as const

const queryResponse = z.object({
  totalSize: z.number(),
  done: z.boolean(),
  records: z.array(z.looseObject({ Id: z.string() })),
})

/** Quotes a value for SOQL; in LIKE, % and _ are wildcards. */
const escapeSoql = (text: string) => text.replace(/[\\'"]/g, '\\$&').replace(/[\r\n]/g, ' ')
const escapeLike = (text: string) => escapeSoql(text).replace(/[%_]/g, '\\$&')

export const tools: readonly Capability[] = [
  capability({
    id: 'find_records',
    name: 'Find records',
    description:
      'Lists accounts, contacts, leads or opportunities of Salesforce, the last changed first, or those with certain words in the name.',
    parameters: z.object({
      kind: z.enum(kinds).default('accounts').describe('which records'),
      query: searchTerm('the name'),
      limit: limit('records'),
    }),
    examples: ['Show the newest leads in Salesforce', 'Find the Acme account in Salesforce'],
    async run(api, { kind, query = '', limit: maxRows }) {
      const { object, fields } = objects[kind]
      const where = query === '' ? '' : ` WHERE Name LIKE '%${escapeLike(query)}%'`
      const q = `SELECT Id, ${fields.join(', ')} FROM ${object}${where} ORDER BY LastModifiedDate DESC LIMIT ${maxRows}`
      const { records } = await api.get(queryResponse, '/query', { q })
      const rows = records.map((record) => ({
        ...Object.fromEntries(
          fields.map((field) => [
            field,
            typeof record[field] === 'string' ? shortText(record[field]) : (record[field] ?? null),
          ]),
        ),
        id: record.Id,
      }))
      return { [kind]: rows, more: rows.length === maxRows }
    },
  }),
  capability({
    id: 'create_lead',
    name: 'Create a lead',
    description: 'Creates a lead (a new prospect) in Salesforce.',
    parameters: z.object({
      lastName: singleLine('last name of the person', 80),
      company: singleLine('company of the person'),
      firstName: singleLine('first name of the person', 40).optional(),
      email: z.email().optional().describe('e-mail address of the person'),
    }),
    examples: ['Create a Salesforce lead for Ann Lee of Acme'],
    writes: true,
    async run(api, { lastName, company, firstName, email }) {
      const json = { LastName: lastName, Company: company, FirstName: firstName, Email: email }
      const lead = z.object({ id: z.string(), success: z.literal(true) })
      const { id } = await api.post(lead, '/sobjects/Lead', { json })
      return { created: true, id, lastName, company }
    },
  }),
]
