import * as z from 'zod'
import { capability, type Capability } from './capability.ts'
import { graphql, limit, shortText, searchTerm } from './schemas.ts'

const pageSchema = <Node extends z.ZodType>(node: Node) =>
  z.object({ nodes: z.array(node), pageInfo: z.object({ hasNextPage: z.boolean() }) })
const products = z.object({
  products: pageSchema(
    z.object({
      id: z.string(),
      title: z.string(),
      status: z.string(),
      totalInventory: z.number().nullable().default(null),
      priceRangeV2: z.object({ minVariantPrice: z.object({ amount: z.string(), currencyCode: z.string() }) }),
    }),
  ),
})
const orders = z.object({
  orders: pageSchema(
    z.object({
      id: z.string(),
      name: z.string(),
      createdAt: z.string(),
      displayFinancialStatus: z.string().nullable().default(null),
      displayFulfillmentStatus: z.string().nullable().default(null),
      totalPriceSet: z.object({ shopMoney: z.object({ amount: z.string(), currencyCode: z.string() }) }),
    }),
  ),
})

const productsQuery = `query Products($first: Int!, $query: String) {
  products(first: $first, query: $query, sortKey: UPDATED_AT, reverse: true) {
    nodes { id title status totalInventory priceRangeV2 { minVariantPrice { amount currencyCode } } }
    pageInfo { hasNextPage }
  }
}`
const ordersQuery = `query Orders($first: Int!, $query: String) {
  orders(first: $first, query: $query, sortKey: CREATED_AT, reverse: true) {
    nodes { id name createdAt displayFinancialStatus displayFulfillmentStatus totalPriceSet { shopMoney { amount currencyCode } } }
    pageInfo { hasNextPage }
  }
}`

/** Quotes words as a phrase, because Shopify's search syntax has many operators. */
const quotePhrase = (text: string | undefined) => (text ? `"${text.replace(/["\\]/g, '\\$&')}"` : undefined)
const formatMoney = ({ amount, currencyCode }: { amount: string; currencyCode: string }) =>
  shortText(`${amount} ${currencyCode}`)

/** Read-only, because the requested scopes are. */
export const shopify: readonly Capability[] = [
  capability({
    id: 'list_products',
    name: 'List products',
    description: 'Lists the products of the Shopify shop with price and stock, the last changed first.',
    parameters: z.object({ query: searchTerm('the products'), limit: limit('products') }),
    examples: ['Which products does my Shopify shop have?'],
    async run(api, { query, limit: first }, signal) {
      const variables = { first, query: quotePhrase(query) }
      const found = products.parse(
        await graphql(api, { query: productsQuery, variables, reads: true }, signal),
      ).products
      return {
        products: found.nodes.map(({ id, title, status, totalInventory, priceRangeV2 }) => ({
          title: shortText(title),
          price: formatMoney(priceRangeV2.minVariantPrice),
          stock: totalInventory,
          status,
          id,
        })),
        more: found.pageInfo.hasNextPage,
      }
    },
  }),
  capability({
    id: 'list_orders',
    name: 'List orders',
    description: 'Lists the orders of the Shopify shop, newest first.',
    parameters: z.object({ query: searchTerm('the orders'), limit: limit('orders') }),
    examples: ['Show the last orders of my Shopify shop'],
    async run(api, { query, limit: first }, signal) {
      const variables = { first, query: quotePhrase(query) }
      const found = orders.parse(
        await graphql(api, { query: ordersQuery, variables, reads: true }, signal),
      ).orders
      return {
        orders: found.nodes.map((order) => ({
          name: shortText(order.name),
          total: formatMoney(order.totalPriceSet.shopMoney),
          payment: order.displayFinancialStatus,
          delivery: order.displayFulfillmentStatus,
          created: order.createdAt,
          id: order.id,
        })),
        more: found.pageInfo.hasNextPage,
      }
    },
  }),
]
