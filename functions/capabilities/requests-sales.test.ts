import { anyText, testTools } from '../../test/support/capability-requests.ts'

const conversations = {
  conversations: [
    {
      from: 'Cleo Marsh',
      title: '',
      text: 'My parcel is late & I am sad',
      state: 'open',
      updated: '2025-11-19T08:13:20.000Z',
      id: '4711',
    },
  ],
  more: false,
}

testTools({
  salesforce: [
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
  hubspot: [
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
  intercom: [
    {
      tool: 'list_conversations',
      input: {},
      requests: [
        {
          endpoint: 'POST /conversations/search',
          headers: { 'intercom-version': '2.13' },
          body: {
            query: { field: 'state', operator: '=', value: 'open' },
            pagination: { per_page: 20 },
          },
        },
      ],
      result: conversations,
    },
    {
      tool: 'list_conversations',
      input: { limit: 1, state: 'closed' },
      requests: [
        {
          endpoint: 'POST /conversations/search',
          headers: { 'intercom-version': '2.13' },
          body: {
            query: { field: 'state', operator: '=', value: 'closed' },
            pagination: { per_page: 1 },
          },
        },
      ],
      result: { conversations: [], more: false },
    },
    {
      tool: 'reply_to_conversation',
      input: { conversationId: '4711', body: 'We are on it' },
      requests: [
        { endpoint: 'GET /me', headers: { 'intercom-version': '2.13' } },
        {
          endpoint: 'POST /conversations/4711/reply',
          headers: { 'intercom-version': '2.13' },
          body: { message_type: 'comment', type: 'admin', admin_id: '100', body: 'We are on it' },
        },
      ],
      result: { sent: true, conversation: '4711', state: 'open' },
    },
  ],
})
