import { anyText, testTools, textLike } from '../../test/support/capability-requests.ts'

const shopifyProducts =
  'query Products($first: Int!, $query: String) { products(first: $first, query: $query, sortKey: UPDATED_AT, reverse: true) { nodes { id title status totalInventory priceRangeV2 { minVariantPrice { amount currencyCode } } } pageInfo { hasNextPage } } }'
const shopifyOrders =
  'query Orders($first: Int!, $query: String) { orders(first: $first, query: $query, sortKey: CREATED_AT, reverse: true) { nodes { id name createdAt displayFinancialStatus displayFulfillmentStatus totalPriceSet { shopMoney { amount currencyCode } } } pageInfo { hasNextPage } } }'

const orders = {
  orders: [
    {
      name: '#1001',
      total: '43.5 EUR',
      payment: 'PAID',
      delivery: 'UNFULFILLED',
      created: '2026-11-19T12:00:00Z',
      id: 'gid://shopify/Order/1',
    },
  ],
  more: false,
}

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

testTools({
  shopify: [
    {
      tool: 'list_products',
      input: {},
      requests: [{ endpoint: 'POST ', body: { query: shopifyProducts, variables: { first: 20 } } }],
      result: {
        products: [
          {
            title: 'Desk lamp',
            price: '39.0 EUR',
            stock: 14,
            status: 'ACTIVE',
            id: 'gid://shopify/Product/1',
          },
          { title: 'Notebook', price: '4.5 EUR', stock: 0, status: 'DRAFT', id: 'gid://shopify/Product/2' },
        ],
        more: false,
      },
    },
    {
      tool: 'list_products',
      input: { query: 'desk "lamp" \\', limit: 1 },
      requests: [
        {
          endpoint: 'POST ',
          body: { query: shopifyProducts, variables: { first: 1, query: '"desk \\"lamp\\" \\\\"' } },
        },
      ],
      result: { products: [], more: false },
    },
    {
      tool: 'list_orders',
      input: {},
      requests: [{ endpoint: 'POST ', body: { query: shopifyOrders, variables: { first: 20 } } }],
      result: orders,
    },
    {
      tool: 'list_orders',
      input: { query: '#1001', limit: 1 },
      requests: [
        { endpoint: 'POST ', body: { query: shopifyOrders, variables: { first: 1, query: '"#1001"' } } },
      ],
      result: orders,
    },
  ],
  stripe: [
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
  paypal: [
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
})
