import { type ProviderResponse, type ProviderRequest, json } from './http.ts'

type Properties = Record<string, string | null>

const contacts: Properties[] = [
  { email: 'ann@example.org', firstname: 'Ann', lastname: 'Lee', phone: '+1 555 0100' },
  { email: 'ben@example.org', firstname: 'Ben', lastname: 'Ito', phone: null },
  { email: 'cleo@example.net', firstname: 'Cleo', lastname: 'Marsh', phone: '+44 20 7946 0000' },
]
const deals: Properties[] = [
  {
    dealname: 'Website relaunch',
    amount: '12000',
    dealstage: 'contractsent',
    pipeline: 'default',
    closedate: '2026-12-15T00:00:00Z',
  },
  {
    dealname: 'Support 2027',
    amount: '4800',
    dealstage: 'appointmentscheduled',
    pipeline: 'default',
    closedate: '2027-01-31T00:00:00Z',
  },
]
const objects: Record<string, { rows: Properties[]; defaultProperties: string[]; firstId: number }> = {
  contacts: { rows: contacts, defaultProperties: ['email', 'firstname', 'lastname'], firstId: 501 },
  deals: {
    rows: deals,
    defaultProperties: ['dealname', 'amount', 'closedate', 'dealstage', 'pipeline'],
    firstId: 901,
  },
}

/** HubSpot's lists of contacts and deals, with `limit`, `after` and `properties` as documented. */
export function respondAsHubspot({ method, path, query }: ProviderRequest): ProviderResponse {
  const name = /^\/crm\/(?:objects\/2026-03|v3\/objects)\/(\w+)$/.exec(path)?.[1] ?? ''
  const object = Object.hasOwn(objects, name) ? objects[name] : undefined
  if (method !== 'GET' || !object) return failure(404, 'resource not found', 'OBJECT_NOT_FOUND')
  const limit = Number(query.get('limit') ?? 10)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    return failure(400, 'limit has to be between 1 and 100', 'VALIDATION_ERROR')
  const propertyNames = query.get('properties')?.split(',') ?? object.defaultProperties
  const rows = object.rows.map((properties, index) => ({ id: object.firstId + index, properties }))
  const after = Number(query.get('after') ?? 0)
  const rest = rows.filter(({ id }) => id >= after)
  const [page, next] = [rest.slice(0, limit), rest[limit]]
  return json(
    200,
    {
      results: page.map(({ id, properties }) => ({
        id: String(id),
        properties: {
          ...Object.fromEntries(
            propertyNames
              .filter((property) => Object.hasOwn(properties, property))
              .map((property) => [property, properties[property]]),
          ),
          hs_object_id: String(id),
        },
        createdAt: '2026-10-01T09:00:00.000Z',
        updatedAt: '2026-11-01T09:00:00.000Z',
        archived: false,
      })),
      ...(next && { paging: { next: { after: String(next.id) } } }),
    },
    { 'x-hubspot-ratelimit-max': '110', 'x-hubspot-ratelimit-remaining': '109' },
  )
}

const failure = (status: number, message: string, category: string) =>
  json(status, { status: 'error', message, correlationId: crypto.randomUUID(), category })
