import * as z from 'zod'
import { capability, type Capability } from '../capability.ts'
import { limit, shortField, shortText, searchTerm } from '../schemas.ts'

const pageSchema = <Node extends z.ZodType>(node: Node) =>
  z.object({ nodes: z.array(node), pageInfo: z.object({ hasNextPage: z.boolean() }) })
const money = z
  .object({ amount: z.string(), currencyCode: z.string() })
  .transform(({ amount, currencyCode }) => shortText(`${amount} ${currencyCode}`))
const product = z
  .object({
    id: z.string(),
    title: shortField,
    status: z.string(),
    totalInventory: z.number().nullable().default(null),
    priceRangeV2: z.object({ minVariantPrice: money }),
  })
  .transform(({ totalInventory: stock, priceRangeV2, ...rest }) => ({
    ...rest,
    price: priceRangeV2.minVariantPrice,
    stock,
  }))
const order = z
  .object({
    id: z.string(),
    name: shortField,
    createdAt: z.string(),
    displayFinancialStatus: z.string().nullable().default(null),
    displayFulfillmentStatus: z.string().nullable().default(null),
    totalPriceSet: z.object({ shopMoney: money }),
  })
  .transform((one) => ({
    name: one.name,
    total: one.totalPriceSet.shopMoney,
    payment: one.displayFinancialStatus,
    delivery: one.displayFulfillmentStatus,
    created: one.createdAt,
    id: one.id,
  }))
const productsResponse = z.object({ products: pageSchema(product) })
const ordersResponse = z.object({ orders: pageSchema(order) })

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

/** Read-only, because the requested scopes are. */
export const tools: readonly Capability[] = [
  capability({
    id: 'list_products',
    name: 'List products',
    description: 'Lists the products of the Shopify shop with price and stock, the last changed first.',
    parameters: z.object({ query: searchTerm('the products'), limit: limit('products') }),
    examples: ['Which products does my Shopify shop have?'],
    async run(api, { query, limit: first }) {
      const variables = { first, query: quotePhrase(query) }
      const search = { query: productsQuery, variables, reads: true }
      const { products } = await api.graphql(productsResponse, search)
      return { products: products.nodes, more: products.pageInfo.hasNextPage }
    },
  }),
  capability({
    id: 'list_orders',
    name: 'List orders',
    description: 'Lists the orders of the Shopify shop, newest first.',
    parameters: z.object({ query: searchTerm('the orders'), limit: limit('orders') }),
    examples: ['Show the last orders of my Shopify shop'],
    async run(api, { query, limit: first }) {
      const variables = { first, query: quotePhrase(query) }
      const { orders } = await api.graphql(ordersResponse, { query: ordersQuery, variables, reads: true })
      return { orders: orders.nodes, more: orders.pageInfo.hasNextPage }
    },
  }),
]
