import { type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

export const cases: ProviderCases = {
  roundTrips: {
    get_contacts: { input: { limit: 1 }, finds: 'ann@example.org' },
    get_deals: { finds: 'Website relaunch' },
  },
  requests: [
    {
      tool: 'get_contacts',
      requirement: 'CAP-08',
      input: {},
      requests: [
        {
          endpoint: 'GET /crm/objects/2026-03/contacts',
          query: { limit: '10', properties: 'firstname,lastname,email,phone', archived: 'false' },
        },
      ],
      result: {
        contacts: [
          {
            firstname: 'Ann',
            lastname: 'Lee',
            email: 'ann@example.org',
            phone: '+1 555 0100',
            hs_object_id: '501',
            id: '501',
          },
          {
            firstname: 'Ben',
            lastname: 'Ito',
            email: 'ben@example.org',
            phone: null,
            hs_object_id: '502',
            id: '502',
          },
          {
            firstname: 'Cleo',
            lastname: 'Marsh',
            email: 'cleo@example.net',
            phone: '+44 20 7946 0000',
            hs_object_id: '503',
            id: '503',
          },
        ],
        more: false,
      },
    },
    {
      tool: 'get_contacts',
      requirement: 'CAP-08',
      input: { limit: 1, properties: ['email', 'phone'] },
      requests: [
        {
          endpoint: 'GET /crm/objects/2026-03/contacts',
          query: { limit: '1', properties: 'email,phone', archived: 'false' },
        },
      ],
      result: {
        contacts: [{ email: 'ann@example.org', phone: '+1 555 0100', hs_object_id: '501', id: '501' }],
        more: true,
      },
    },
    {
      tool: 'get_deals',
      requirement: 'CAP-09',
      input: {},
      requests: [
        {
          endpoint: 'GET /crm/objects/2026-03/deals',
          query: { limit: '10', properties: 'dealname,amount,dealstage,closedate', archived: 'false' },
        },
      ],
      result: {
        deals: [
          {
            dealname: 'Website relaunch',
            amount: '12000',
            dealstage: 'contractsent',
            closedate: '2026-12-15T00:00:00Z',
            hs_object_id: '901',
            id: '901',
          },
          {
            dealname: 'Support 2027',
            amount: '4800',
            dealstage: 'appointmentscheduled',
            closedate: '2027-01-31T00:00:00Z',
            hs_object_id: '902',
            id: '902',
          },
        ],
        more: false,
      },
    },
    {
      tool: 'get_deals',
      requirement: 'CAP-09',
      input: { limit: 1, properties: ['dealname'] },
      requests: [
        {
          endpoint: 'GET /crm/objects/2026-03/deals',
          query: { limit: '1', properties: 'dealname', archived: 'false' },
        },
      ],
      result: { deals: [{ dealname: 'Website relaunch', hs_object_id: '901', id: '901' }], more: true },
    },
  ],
  responses: [
    {
      tool: 'get_contacts',
      requirement: 'CAP-08',
      case: 'values that are empty or long, and more pages',
      responses: [
        [
          '/contacts',
          {
            results: [
              { id: '1', properties: { email: null, firstname: 'x'.repeat(400), id: 'not this' } },
              { id: '2' },
            ],
            paging: { next: { after: '3' } },
          },
        ],
      ],
      result: {
        contacts: [{ email: null, firstname: `${'x'.repeat(300)}…`, id: '1' }, { id: '2' }],
        more: true,
      },
    },
    {
      tool: 'get_contacts',
      requirement: 'CAP-08',
      input: { properties: [] },
      case: 'the last page',
      responses: [['/contacts', { results: [], paging: {} }]],
      result: { contacts: [], more: false },
    },
    {
      tool: 'get_deals',
      requirement: 'CAP-09',
      case: 'nothing',
      responses: [['/deals', {}]],
      result: { deals: [], more: false },
    },
  ],
  chat: { reads: [['Show my HubSpot deals', 'get_deals', 'Website relaunch']] },
}
