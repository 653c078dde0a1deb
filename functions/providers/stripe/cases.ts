import { textLike, anyText, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const customers = {
  customers: [
    { name: 'Ben Ito', email: 'ben@example.org', created: '2025-11-17T17:20:00.000Z', id: 'cus_1' },
  ],
  more: false,
}

const payment = {
  amount: '43.50 EUR',
  status: 'succeeded',
  description: 'Order 1001',
  created: '2025-11-19T11:00:00.000Z',
  id: 'pi_1',
}

export const cases: ProviderCases = {
  roundTrips: {
    list_payments: { finds: '43.50 EUR' },
    create_customer: { input: { name: 'Ann & Lee', email: 'ann@example.org' }, finds: 'Ann & Lee' },
    list_customers: { input: { email: 'ann@example.org' }, finds: 'Ann & Lee' },
  },
  reads: [['list_payments', {}, '1200 JPY']],
  requests: [
    {
      tool: 'list_payments',
      input: {},
      requests: [{ endpoint: 'GET /payment_intents', query: { limit: '20' } }],
      result: {
        payments: [
          payment,
          {
            amount: '1200 JPY',
            status: 'requires_payment_method',
            description: '',
            created: '2025-11-18T21:06:40.000Z',
            id: 'pi_2',
          },
        ],
        more: false,
      },
    },
    {
      tool: 'list_payments',
      input: { limit: 1 },
      requests: [{ endpoint: 'GET /payment_intents', query: { limit: '1' } }],
      result: {
        payments: [payment],
        more: true,
      },
    },
    {
      tool: 'list_customers',
      input: {},
      requests: [{ endpoint: 'GET /customers', query: { limit: '20' } }],
      result: customers,
    },
    {
      tool: 'list_customers',
      input: { email: 'ben@example.org', limit: 1 },
      requests: [{ endpoint: 'GET /customers', query: { email: 'ben@example.org', limit: '1' } }],
      result: customers,
    },
    {
      tool: 'create_customer',
      input: { name: 'Ann & Lee', email: 'ann@example.org' },
      requests: [
        {
          endpoint: 'POST /customers',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            'idempotency-key': textLike(/^[0-9a-f-]{36}$/),
          },
          body: 'name=Ann+%26+Lee&email=ann%40example.org',
        },
      ],
      result: {
        created: true,
        customer: {
          name: 'Ann & Lee',
          email: 'ann@example.org',
          created: '2026-11-20T12:00:00.000Z',
          id: anyText,
        },
      },
    },
  ],
  responses: [
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
      case: 'a currency and a time that cannot be read',
      responses: [
        [
          '/payment_intents',
          {
            data: [
              { id: '1', amount: 1200, currency: 'e1r', status: 'succeeded', created: 0 },
              { id: '2', amount: 1200, currency: 'eur', status: 'succeeded', created: 8.7e15 },
            ],
          },
        ],
      ],
      result: {
        payments: [
          {
            amount: '1200 in the smallest unit of e1r',
            status: 'succeeded',
            description: '',
            created: '1970-01-01T00:00:00.000Z',
            id: '1',
          },
          {
            amount: '12.00 EUR',
            status: 'succeeded',
            description: '',
            created: '8700000000000000',
            id: '2',
          },
        ],
        more: false,
      },
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
      result: {
        payments: [
          {
            amount: '1200 in the smallest unit of euro',
            status: 'succeeded',
            description: '',
            created: '1970-01-01T00:00:00.000Z',
            id: '1',
          },
        ],
        more: false,
      },
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
  chat: {
    reads: [['List the customers in Stripe', 'list_customers', 'Dora Fox']],
    write: [
      'Create a Stripe customer with the name "Dora Fox" and the email dora@example.org',
      'create_customer',
      { name: 'Dora Fox', email: 'dora@example.org' },
    ],
  },
}
