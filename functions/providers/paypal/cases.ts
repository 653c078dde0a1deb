import { textLike, anyText, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const invoices = {
  invoices: [
    {
      number: '0001',
      to: 'ben@example.org',
      amount: '120.00 EUR',
      due: '120.00 EUR',
      status: 'SENT',
      date: '2026-11-02',
      id: 'INV2-AAAA',
    },
  ],
  more: false,
}

export const cases: ProviderCases = {
  roundTrips: {
    create_invoice: {
      input: { email: 'ann@example.org', title: 'Consulting', amount: 120, currency: 'EUR' },
      finds: 'DRAFT',
    },
    list_invoices: { finds: '120.00 EUR' },
  },
  requests: [
    {
      tool: 'list_invoices',
      input: {},
      requests: [
        {
          endpoint: 'GET /v2/invoicing/invoices',
          query: { page: '1', page_size: '20', total_required: 'true' },
        },
      ],
      result: invoices,
    },
    {
      tool: 'list_invoices',
      input: { limit: 1 },
      requests: [
        {
          endpoint: 'GET /v2/invoicing/invoices',
          query: { page: '1', page_size: '1', total_required: 'true' },
        },
      ],
      result: invoices,
    },
    {
      tool: 'create_invoice',
      input: { email: 'ann@example.org', title: 'Consulting', amount: 120 },
      requests: [
        {
          endpoint: 'POST /v2/invoicing/invoices',
          headers: { prefer: 'return=representation', 'paypal-request-id': textLike(/^[0-9a-f-]{36}$/) },
          body: {
            detail: { currency_code: 'USD' },
            primary_recipients: [{ billing_info: { email_address: 'ann@example.org' } }],
            items: [
              { name: 'Consulting', quantity: '1', unit_amount: { currency_code: 'USD', value: '120.00' } },
            ],
          },
        },
      ],
      result: {
        created: true,
        title: 'Consulting',
        invoice: {
          number: '0002',
          to: 'ann@example.org',
          amount: '120.00 USD',
          due: '120.00 USD',
          status: 'DRAFT',
          date: '2026-11-20',
          id: anyText,
        },
      },
    },
    {
      tool: 'create_invoice',
      input: {
        email: 'ann@example.org',
        title: 'Consulting',
        amount: 1200.6,
        currency: 'JPY',
        note: 'Thank you',
      },
      requests: [
        {
          endpoint: 'POST /v2/invoicing/invoices',
          headers: { prefer: 'return=representation', 'paypal-request-id': textLike(/^[0-9a-f-]{36}$/) },
          body: {
            detail: { currency_code: 'JPY', note: 'Thank you' },
            primary_recipients: [{ billing_info: { email_address: 'ann@example.org' } }],
            items: [
              { name: 'Consulting', quantity: '1', unit_amount: { currency_code: 'JPY', value: '1201' } },
            ],
          },
        },
      ],
      result: {
        created: true,
        title: 'Consulting',
        invoice: {
          number: '0002',
          to: 'ann@example.org',
          amount: '1201 JPY',
          due: '1201 JPY',
          status: 'DRAFT',
          date: '2026-11-20',
          id: anyText,
        },
      },
    },
  ],
  responses: [
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
  chat: {
    reads: [['List my PayPal invoices', 'list_invoices', 'gus@example.org']],
    write: [
      'Create a PayPal invoice with the title "Consulting" over 120 for gus@example.org',
      'create_invoice',
      { email: 'gus@example.org', amount: 120 },
    ],
  },
}
