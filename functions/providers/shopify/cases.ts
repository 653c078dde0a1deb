import { type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

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

export const cases: ProviderCases = {
  roundTrips: {
    list_products: { input: { query: 'lamp' }, finds: '39.0 EUR' },
    list_orders: { finds: '#1001' },
  },
  requests: [
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
  responses: [
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
  chat: { reads: [['Show the products of my Shopify shop', 'list_products', 'Desk lamp']] },
}
