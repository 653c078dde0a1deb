import { anyText, testUnusualResponses } from '../../test/support/capability-requests.ts'

testUnusualResponses({
  shopify: [
    {
      tool: 'list_products',
      case: 'a product whose stock is not counted, and more pages',
      responses: [
        [
          '/api',
          {
            data: {
              products: {
                nodes: [
                  {
                    id: '1',
                    title: 'A',
                    status: 'ACTIVE',
                    priceRangeV2: { minVariantPrice: { amount: '1.0', currencyCode: 'EUR' } },
                  },
                ],
                pageInfo: { hasNextPage: true },
              },
            },
          },
        ],
      ],
      result: {
        products: [{ title: 'A', price: '1.0 EUR', stock: null, status: 'ACTIVE', id: '1' }],
        more: true,
      },
    },
    {
      tool: 'list_orders',
      case: 'an order without states, and more pages',
      responses: [
        [
          '/api',
          {
            data: {
              orders: {
                nodes: [
                  {
                    id: '1',
                    name: '#1',
                    createdAt: '2026-11-01T00:00:00Z',
                    totalPriceSet: { shopMoney: { amount: '1.0', currencyCode: 'EUR' } },
                  },
                ],
                pageInfo: { hasNextPage: true },
              },
            },
          },
        ],
      ],
      result: {
        orders: [
          {
            name: '#1',
            total: '1.0 EUR',
            payment: null,
            delivery: null,
            created: '2026-11-01T00:00:00Z',
            id: '1',
          },
        ],
        more: true,
      },
    },
  ],
  stripe: [
    {
      tool: 'list_payments',
      case: 'an amount without decimal places, one with three, and no field for further pages',
      responses: [
        [
          '/payment_intents',
          {
            data: [
              { id: '1', amount: 1200, currency: 'jpy', status: 'succeeded', created: 0 },
              { id: '2', amount: 1234, currency: 'kwd', status: 'canceled', created: 1, description: 'D' },
            ],
          },
        ],
      ],
      result: {
        payments: [
          {
            amount: '1200 JPY',
            status: 'succeeded',
            description: '',
            created: '1970-01-01T00:00:00.000Z',
            id: '1',
          },
          {
            amount: '1.234 KWD',
            status: 'canceled',
            description: 'D',
            created: '1970-01-01T00:00:01.000Z',
            id: '2',
          },
        ],
        more: false,
      },
    },
    {
      tool: 'list_payments',
      case: 'currencies that Stripe counts in hundredths although they have none, and in thousandths',
      responses: [
        [
          '/payment_intents',
          {
            data: [
              { id: '1', amount: 500_000, currency: 'huf', status: 'succeeded', created: 0 },
              { id: '2', amount: 1_234_500, currency: 'UGX', status: 'succeeded', created: 0 },
              { id: '3', amount: 5_120, currency: 'kwd', status: 'succeeded', created: 0 },
              { id: '4', amount: 500, currency: 'vnd', status: 'succeeded', created: 0 },
            ],
          },
        ],
      ],
      result: {
        payments: ['5000.00 HUF', '12345.00 UGX', '5.120 KWD', '500 VND'].map((amount, at) => ({
          amount,
          status: 'succeeded',
          description: '',
          created: '1970-01-01T00:00:00.000Z',
          id: String(at + 1),
        })),
        more: false,
      },
    },
    {
      tool: 'list_payments',
      case: 'an unknown currency',
      responses: [
        [
          '/payment_intents',
          { data: [{ id: '1', amount: 1200, currency: 'e1r', status: 'succeeded', created: 0 }] },
        ],
      ],
      error: 'The service responded in an unexpected format.',
    },
    {
      tool: 'list_payments',
      case: 'a currency of four letters',
      responses: [
        [
          '/payment_intents',
          { data: [{ id: '1', amount: 1200, currency: 'euro', status: 'succeeded', created: 0 }] },
        ],
      ],
      error: 'The service responded in an unexpected format.',
    },
    {
      tool: 'list_customers',
      case: 'a customer without a name, and more pages',
      responses: [['/customers', { data: [{ id: '1', created: 1763400000 }], has_more: true }]],
      result: {
        customers: [{ name: '', email: '', created: '2025-11-17T17:20:00.000Z', id: '1' }],
        more: true,
      },
    },
  ],
  paypal: [
    {
      tool: 'create_invoice',
      input: { email: 'ann@example.org', title: 'A', amount: 12 },
      case: 'only a link, and no amount: the draft exists nevertheless',
      responses: [
        ['/invoices', { href: 'https://api-m.paypal.com/v2/invoicing/invoices/INV2-1', rel: 'self' }],
      ],
      result: { created: true, title: 'A', invoice: { number: '', to: '', status: '' } },
    },
    {
      tool: 'list_invoices',
      case: 'an amount without its currency',
      responses: [
        ['/invoices', { items: [{ id: '1', amount: { breakdown: {} }, due_amount: { value: '1.00' } }] }],
      ],
      result: { invoices: [{ number: '', to: '', due: '1.00', status: '', id: '1' }], more: false },
    },
    {
      tool: 'list_invoices',
      case: 'an invoice with only an id, and more pages',
      responses: [
        ['/invoices', { items: [{ id: '1' }, { id: '2', primary_recipients: [{}] }], total_items: 3 }],
      ],
      result: {
        invoices: [
          { number: '', to: '', status: '', id: '1' },
          { number: '', to: '', status: '', id: '2' },
        ],
        more: true,
      },
    },
    {
      tool: 'list_invoices',
      case: 'nothing',
      responses: [['/invoices', {}]],
      result: { invoices: [], more: false },
    },
    {
      tool: 'create_invoice',
      input: { email: 'ann@example.org', title: 'A', amount: 1.005, currency: 'KWD' },
      case: 'a currency with three decimal places',
      responses: [],
      result: {
        created: true,
        title: 'A',
        invoice: {
          number: '0002',
          to: 'ann@example.org',
          amount: '1.005 KWD',
          due: '1.005 KWD',
          status: 'DRAFT',
          date: '2026-11-20',
          id: anyText,
        },
      },
    },
  ],
  salesforce: [
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
  hubspot: [
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
  intercom: [
    {
      tool: 'list_conversations',
      case: 'people without names, no texts, and more pages',
      responses: [
        [
          '/conversations/search',
          {
            conversations: [
              { id: '1', updated_at: 1763540000, source: { author: { email: 'a@example.org' } } },
              {
                id: '2',
                updated_at: 1,
                source: { body: `<p>${'x'.repeat(800)}</p>`, author: { name: 'Ann', email: 'x' } },
                title: 'T',
              },
              { id: '3', updated_at: 2, source: {} },
              { id: '4', updated_at: 3 },
              { id: '5' },
            ],
            pages: { next: { starting_after: 'x' } },
          },
        ],
      ],
      result: {
        conversations: [
          { from: 'a@example.org', title: '', text: '', updated: '2025-11-19T08:13:20.000Z', id: '1' },
          { from: '', title: '', text: '', updated: '1970-01-01T00:00:03.000Z', id: '4' },
          { from: '', title: '', text: '', updated: '1970-01-01T00:00:02.000Z', id: '3' },
          {
            from: 'Ann',
            title: 'T',
            text: `${'x'.repeat(500)}…`,
            updated: '1970-01-01T00:00:01.000Z',
            id: '2',
          },
          { from: '', title: '', text: '', id: '5' },
        ],
        more: true,
      },
    },
    {
      tool: 'list_conversations',
      case: '`pages` is null',
      responses: [['/conversations/search', { conversations: [], pages: null }]],
      result: { conversations: [], more: false },
    },
    {
      tool: 'list_conversations',
      case: 'no `pages` field',
      responses: [['/conversations/search', { conversations: [] }]],
      result: { conversations: [], more: false },
    },
  ],
  mailchimp: [
    {
      tool: 'list_audiences',
      case: 'an audience with only a name, and more of them',
      responses: [['/lists', { lists: [{ id: '1', name: 'A' }], total_items: 2 }]],
      result: { audiences: [{ name: 'A', id: '1' }], more: true },
    },
    {
      tool: 'list_subscribers',
      case: 'people without names, and more of them',
      responses: [
        [
          '/members',
          { members: [{ id: '1', email_address: 'a@example.org', status: 'cleaned' }], total_items: 2 },
        ],
      ],
      result: {
        audience: 'Newsletter',
        subscribers: [{ email: 'a@example.org', name: '', status: 'cleaned' }],
        more: true,
      },
    },
    {
      tool: 'list_audiences',
      case: 'an invalid data centre name',
      responses: [['/metadata', { dc: 'us21.evil.example/' }]],
      error: 'The service responded in an unexpected format.',
    },
    {
      tool: 'list_audiences',
      case: 'a data centre name with a prefix',
      responses: [['/metadata', { dc: 'xus21' }]],
      error: 'The service responded in an unexpected format.',
    },
  ],
  twilio: [
    {
      tool: 'list_messages',
      case: 'null in every field that may have it',
      responses: [
        [
          '/Messages.json',
          {
            messages: [
              {
                sid: null,
                from: null,
                to: null,
                body: null,
                status: 'queued',
                direction: 'inbound',
                date_sent: null,
              },
            ],
            next_page_uri: null,
          },
        ],
      ],
      result: {
        messages: [
          { from: null, to: null, text: '', status: 'queued', direction: 'inbound', at: null, id: null },
        ],
        more: false,
      },
    },
    {
      tool: 'send_sms',
      input: { to: '+15550100300', body: 'x' },
      case: 'no phone number to send from',
      responses: [
        ['/IncomingPhoneNumbers.json', { incoming_phone_numbers: [{ sid: 'PN1', phone_number: null }] }],
      ],
      error: 'There is no phone number that this account may use.',
    },
    {
      tool: 'list_messages',
      case: 'messages with most fields missing, and more pages',
      responses: [
        [
          '/Messages.json',
          {
            messages: [
              { sid: '1', to: '+1', status: 'queued' },
              {
                sid: '2',
                from: '+2',
                to: '+1',
                status: 'sent',
                body: 'x'.repeat(800),
                date_sent: 'Wed, 18 Nov 2026 09:00:00 +0000',
              },
            ],
            next_page_uri: '/2',
          },
        ],
      ],
      result: {
        messages: [
          { from: null, to: '+1', text: '', status: 'queued', at: null, id: '1' },
          {
            from: '+2',
            to: '+1',
            text: `${'x'.repeat(500)}…`,
            status: 'sent',
            at: '2026-11-18T09:00:00.000Z',
            id: '2',
          },
        ],
        more: true,
      },
    },
    {
      tool: 'list_messages',
      case: 'no field for further pages',
      responses: [['/Messages.json', { messages: [] }]],
      result: { messages: [], more: false },
    },
    {
      tool: 'list_messages',
      case: 'an invalid date',
      responses: [
        ['/Messages.json', { messages: [{ sid: '1', to: '+1', status: 'queued', date_sent: 'soon' }] }],
      ],
      error: 'The service responded in an unexpected format.',
    },
    {
      tool: 'send_sms',
      input: { to: '+15550100300', body: 'x' },
      case: 'an account with two numbers',
      responses: [
        [
          '/IncomingPhoneNumbers.json',
          {
            incoming_phone_numbers: [
              { sid: '1', phone_number: '+11' },
              { sid: '2', phone_number: '+12' },
            ],
          },
        ],
      ],
      error: 'Which phone number? There are "+11", "+12".',
    },
  ],
})
