import {
  invalidToken,
  mentions,
  newId,
  ok,
  paginate,
  text,
  type Double,
} from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'

const soql =
  /^SELECT ([\w, ]+) FROM (\w+)(?: WHERE Name LIKE '%((?:[^'\\]|\\.)*)%')? ORDER BY LastModifiedDate DESC LIMIT (\d+)$/

export const double: Double = {
  rows: {
    Account: [
      {
        Id: '001A',
        Name: "Acme O'Neil Ltd",
        Industry: 'Retail',
        Phone: '+1 555 0100',
        Website: 'https://acme.example',
      },
    ],
    Contact: [{ Id: '003A', Name: 'Ann Lee', Email: 'ann@example.org', Phone: null, Title: 'CTO' }],
    Lead: [{ Id: '00QA', Name: 'Ben Ito', Company: 'Ito & Sons', Email: 'ben@example.org', Status: 'Open' }],
    Opportunity: [
      { Id: '006A', Name: 'Acme renewal', StageName: 'Negotiation', Amount: 12000, CloseDate: '2026-12-15' },
    ],
  },
  routes: {
    'GET /query': ({ query, rows }) => {
      const [, fields = '', type = '', like = '', limit] = soql.exec(query.get('q') ?? '') ?? []
      const words = like.replace(/\\(.)/g, '$1')
      const found = rows(type).filter(({ Name }) => mentions(Name, words))
      const records = paginate(found.toReversed(), limit).page.map((row) => ({
        attributes: { type, url: `/services/data/v64.0/sobjects/${type}/${text(row['Id'])}` },
        ...Object.fromEntries(fields.split(', ').map((field) => [field, row[field] ?? null])),
      }))
      return ok({ totalSize: records.length, done: true, records })
    },
    'POST /sobjects/Lead': async ({ body: { FirstName, LastName, Company, Email = null }, saveRow }) => {
      const Id = `00Q${newId()}`
      const Name = [text(FirstName), text(LastName)].filter(Boolean).join(' ')
      await saveRow('Lead', { Id, Name, Company, Email, Status: 'Open' })
      return json(201, { id: Id, success: true, errors: [] })
    },
  },
  unauthorized: invalidToken([{ message: 'Session expired or invalid', errorCode: 'INVALID_SESSION_ID' }]),
}
