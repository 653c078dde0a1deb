import {
  graphqlError,
  mentions,
  ok,
  paginate,
  record,
  text,
  type Double,
} from '../../../infra/local/doubles/providers/double.ts'

export const double: Double = {
  rows: {
    products: [
      {
        id: 'gid://shopify/Product/1',
        title: 'Desk lamp',
        status: 'ACTIVE',
        totalInventory: 14,
        priceRangeV2: { minVariantPrice: { amount: '39.0', currencyCode: 'EUR' } },
      },
      {
        id: 'gid://shopify/Product/2',
        title: 'Notebook',
        status: 'DRAFT',
        totalInventory: 0,
        priceRangeV2: { minVariantPrice: { amount: '4.5', currencyCode: 'EUR' } },
      },
    ],
    orders: [
      {
        id: 'gid://shopify/Order/1',
        name: '#1001',
        createdAt: '2026-11-19T12:00:00Z',
        displayFinancialStatus: 'PAID',
        displayFulfillmentStatus: 'UNFULFILLED',
        totalPriceSet: { shopMoney: { amount: '43.5', currencyCode: 'EUR' } },
      },
    ],
  },
  routes: {
    'POST ': ({ body, rows }) => {
      const { first, query: search } = record(body['variables'])
      const kind = /\b(products|orders)\(/.exec(text(body['query']))?.[1]
      if (!kind) return ok(graphqlError("Field doesn't exist on type 'QueryRoot'", 'undefinedField'))
      const words = text(search).replace(/^"|"$/g, '').replace(/\\(.)/g, '$1')
      const found = rows(kind).filter((row) => mentions(row, words))
      const { page, next } = paginate(found, first)
      return ok({
        data: { [kind]: { nodes: page, pageInfo: { hasNextPage: next !== undefined } } },
        extensions: { cost: { requestedQueryCost: 4 } },
      })
    },
  },
}
