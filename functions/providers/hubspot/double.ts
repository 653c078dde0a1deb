import {
  invalidToken,
  ok,
  paginate,
  type Double,
  type Routes,
} from '../../../infra/local/doubles/providers/double.ts'

export const double: Double = {
  rows: {
    contacts: [
      { email: 'ann@example.org', firstname: 'Ann', lastname: 'Lee', phone: '+1 555 0100' },
      { email: 'ben@example.org', firstname: 'Ben', lastname: 'Ito', phone: null },
      { email: 'cleo@example.net', firstname: 'Cleo', lastname: 'Marsh', phone: '+44 20 7946 0000' },
    ],
    deals: [
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
    ],
  },
  routes: Object.fromEntries(
    [
      { kind: 'contacts', defaults: ['email', 'firstname', 'lastname'], firstId: 501 },
      { kind: 'deals', defaults: ['dealname', 'amount', 'closedate', 'dealstage', 'pipeline'], firstId: 901 },
    ].map(({ kind, defaults, firstId }): [string, Routes[string]] => [
      `GET /crm/objects/2026-03/${kind}`,
      ({ query, rows }) => {
        const names = query.get('properties')?.split(',') ?? defaults
        const all = rows(kind).map((properties, index) => ({ id: String(firstId + index), properties }))
        const start = all.findIndex(({ id }) => id === query.get('after'))
        const { page, next } = paginate(all, query.get('limit') ?? 10, Math.max(0, start))
        const results = page.map(({ id, properties }) => ({
          id,
          properties: {
            ...Object.fromEntries(
              Object.entries(properties).filter(([property]) => names.includes(property)),
            ),
            hs_object_id: id,
          },
          createdAt: '2026-10-01T09:00:00.000Z',
          updatedAt: '2026-11-01T09:00:00.000Z',
          archived: false,
        }))
        const after = all[Number(next)]?.id
        return ok({ results, ...(after !== undefined && { paging: { next: { after } } }) })
      },
    ]),
  ),
  unauthorized: invalidToken({
    status: 'error',
    message: 'The OAuth token used to make this call expired.',
    category: 'EXPIRED_AUTHENTICATION',
  }),
}
