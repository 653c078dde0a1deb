import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  withExample,
  graphql,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const headers = z.looseObject({ 'x-shopify-access-token': nonEmptyText })
const variables = strictObject({ first: z.number().int().min(1).max(250), query: nonEmptyText.optional() })
const page = <Node extends z.ZodType>(name: string, node: Node) =>
  z.object({
    data: z.object({
      [name]: z.object({ nodes: z.array(node), pageInfo: z.object({ hasNextPage: z.boolean() }) }),
    }),
  })
// the types Decimal and CurrencyCode
const money = z.object({
  amount: withExample(z.string().regex(/^\d+\.\d+$/), '39.0'),
  currencyCode: withExample(z.string().length(3), 'EUR'),
})
const shared = 'query first Int String reverse true nodes id pageInfo hasNextPage amount currencyCode sortKey'

/** https://shopify.dev/docs/api/admin-graphql/2026-07 */
export const contract: Contract = {
  sources: [
    {
      name: 'GraphQL Admin schema 2026-07 (of @shopify/dev-mcp)',
      url: 'https://www.npmjs.com/package/@shopify/dev-mcp',
      version: '1.16.0',
      checkedOn: '2026-11-20',
    },
  ],
  // released on 2026-07-01 and supported for at least 12 months
  api: {
    version: '2026-07',
    supportedUntil: '2027-07-01',
    source: 'https://shopify.dev/docs/api/usage/versioning',
  },
  unverified: ['which scopes a store grants to an app that is not listed'],
  oauth: { tokenParameters: ['expiring'] },
  readsOnly: 'the scopes that are asked for only read',
  operations: {
    'QUERY Products': {
      scopes: ['read_products'],
      headers,
      body: graphql(
        `${shared} Products products UPDATED_AT title status totalInventory priceRangeV2 minVariantPrice`,
        variables,
      ),
      response: page(
        'products',
        z.object({
          id: nonEmptyText,
          title: z.string(),
          status: z.string(),
          totalInventory: z.number().int(),
          priceRangeV2: z.object({ minVariantPrice: money }),
        }),
      ),
    },
    'QUERY Orders': {
      // without read_all_orders, of the last 60 days
      scopes: ['read_orders'],
      headers,
      body: graphql(
        `${shared} Orders orders CREATED_AT name createdAt displayFinancialStatus displayFulfillmentStatus totalPriceSet shopMoney`,
        variables,
      ),
      response: page(
        'orders',
        z.object({
          id: nonEmptyText,
          name: z.string(),
          createdAt: z.iso.datetime(),
          displayFinancialStatus: z.string().nullable(),
          displayFulfillmentStatus: z.string(),
          totalPriceSet: z.object({ shopMoney: money }),
        }),
      ),
    },
  },
  failure: z.object({ errors: z.array(z.object({ message: z.string() })).min(1) }),
  invalid: (message) => json(200, { errors: [{ message, extensions: { code: 'undefinedField' } }] }),
  forbidden: (scopes) =>
    json(200, {
      errors: [
        {
          message: `Access denied. Required access: \`${scopes.join('` or `')}\` access scope.`,
          extensions: { code: 'ACCESS_DENIED', requiredAccess: scopes.join(' or ') },
        },
      ],
    }),
  notFound: () => json(404, { errors: 'Not Found' }),
}
