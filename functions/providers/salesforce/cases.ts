import { anyText, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

export const cases: ProviderCases = {
  roundTrips: {
    create_lead: {
      input: { lastName: "O'Hara", company: 'Tara 100%', email: 'ohara@example.org' },
      finds: "O'Hara",
    },
    find_records: { input: { kind: 'leads', query: "O'Hara" }, finds: 'Tara 100%' },
  },
  reads: [['find_records', {}, "Acme O'Neil Ltd"]],
  requests: [
    {
      tool: 'find_records',
      input: {},
      requests: [
        {
          endpoint: 'GET /query',
          query: {
            q: 'SELECT Id, Name, Industry, Phone, Website FROM Account ORDER BY LastModifiedDate DESC LIMIT 20',
          },
        },
      ],
      result: {
        accounts: [
          {
            Name: "Acme O'Neil Ltd",
            Industry: 'Retail',
            Phone: '+1 555 0100',
            Website: 'https://acme.example',
            id: '001A',
          },
        ],
        more: false,
      },
    },
    {
      tool: 'find_records',
      input: { kind: 'contacts', query: '50%_o\'\\"x', limit: 1 },
      requests: [
        {
          endpoint: 'GET /query',
          query: {
            q: "SELECT Id, Name, Email, Phone, Title FROM Contact WHERE Name LIKE '%50\\%\\_o\\'\\\\\\\"x%' ORDER BY LastModifiedDate DESC LIMIT 1",
          },
        },
      ],
      result: { contacts: [], more: false },
    },
    {
      tool: 'find_records',
      input: { kind: 'leads', query: 'ben', limit: 1 },
      requests: [
        {
          endpoint: 'GET /query',
          query: {
            q: "SELECT Id, Name, Company, Email, Status FROM Lead WHERE Name LIKE '%ben%' ORDER BY LastModifiedDate DESC LIMIT 1",
          },
        },
      ],
      result: {
        leads: [
          { Name: 'Ben Ito', Company: 'Ito & Sons', Email: 'ben@example.org', Status: 'Open', id: '00QA' },
        ],
        more: true,
      },
    },
    {
      tool: 'find_records',
      input: { kind: 'opportunities' },
      requests: [
        {
          endpoint: 'GET /query',
          query: {
            q: 'SELECT Id, Name, StageName, Amount, CloseDate FROM Opportunity ORDER BY LastModifiedDate DESC LIMIT 20',
          },
        },
      ],
      result: {
        opportunities: [
          {
            Name: 'Acme renewal',
            StageName: 'Negotiation',
            Amount: 12000,
            CloseDate: '2026-12-15',
            id: '006A',
          },
        ],
        more: false,
      },
    },
    {
      tool: 'create_lead',
      input: { lastName: "O'Hara", company: 'Tara' },
      requests: [{ endpoint: 'POST /sobjects/Lead', body: { LastName: "O'Hara", Company: 'Tara' } }],
      result: { created: true, id: anyText, lastName: "O'Hara", company: 'Tara' },
    },
    {
      tool: 'create_lead',
      input: { lastName: "O'Hara", company: 'Tara', firstName: 'Scarlett', email: 'ohara@example.org' },
      requests: [
        {
          endpoint: 'POST /sobjects/Lead',
          body: { LastName: "O'Hara", Company: 'Tara', FirstName: 'Scarlett', Email: 'ohara@example.org' },
        },
      ],
      result: { created: true, id: anyText, lastName: "O'Hara", company: 'Tara' },
    },
  ],
  responses: [
    {
      tool: 'find_records',
      input: { kind: 'opportunities', limit: 1 },
      case: 'numbers, null and long texts, on a full page',
      responses: [
        [
          '/query',
          {
            totalSize: 1,
            done: true,
            records: [{ Id: '1', Name: 'x'.repeat(400), Amount: 12, CloseDate: null }],
          },
        ],
      ],
      result: {
        opportunities: [
          { Name: `${'x'.repeat(300)}…`, StageName: null, Amount: 12, CloseDate: null, id: '1' },
        ],
        more: true,
      },
    },
    {
      tool: 'create_lead',
      input: { lastName: 'A', company: 'B' },
      case: 'no success',
      responses: [['/Lead', { id: '1', success: false }]],
      error: 'The service responded in an unexpected format.',
    },
  ],
  chat: {
    reads: [['List the leads in Salesforce', 'find_records', 'Marsh']],
    write: ['Create a Salesforce lead with the last name "Marsh"', 'create_lead', { lastName: 'Marsh' }],
  },
}
