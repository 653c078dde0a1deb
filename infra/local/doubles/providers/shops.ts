import { json } from './http.ts'
import { type Routes, mentions, newId, paginate, record, text } from './calls.ts'
import type { Row } from './store.ts'

const money = (amount: string) => ({ amount, currencyCode: 'EUR' })
const products: Row[] = [
  {
    id: 'gid://shopify/Product/1',
    title: 'Desk lamp',
    status: 'ACTIVE',
    totalInventory: 14,
    priceRangeV2: { minVariantPrice: money('39.0') },
  },
  {
    id: 'gid://shopify/Product/2',
    title: 'Notebook',
    status: 'DRAFT',
    totalInventory: 0,
    priceRangeV2: { minVariantPrice: money('4.5') },
  },
]
const orders: Row[] = [
  {
    id: 'gid://shopify/Order/1',
    name: '#1001',
    createdAt: '2026-11-19T12:00:00Z',
    displayFinancialStatus: 'PAID',
    displayFulfillmentStatus: 'UNFULFILLED',
    totalPriceSet: { shopMoney: money('43.5') },
  },
]
const shopify: Routes = {
  'POST ': ({ body }) => {
    const query = text(body['query'])
    const { first, query: search } = record(body['variables'])
    const kind = /\b(products|orders)\(/.exec(query)?.[1]
    if (!kind)
      return json(200, {
        errors: [
          { message: "Field doesn't exist on type 'QueryRoot'", extensions: { code: 'undefinedField' } },
        ],
      })
    const words = text(search).replace(/^"|"$/g, '').replace(/\\(.)/g, '$1')
    const { page, next } = paginate(
      (kind === 'products' ? products : orders).filter((row) => mentions(row, words)),
      { limit: Number(first) },
    )
    return json(200, {
      data: { [kind]: { nodes: page, pageInfo: { hasNextPage: next !== undefined } } },
      extensions: { cost: { requestedQueryCost: 4 } },
    })
  },
}

const payments: Row[] = [
  {
    id: 'pi_1',
    object: 'payment_intent',
    amount: 4_350,
    currency: 'eur',
    status: 'succeeded',
    created: 1_763_550_000,
    description: 'Order 1001',
  },
  {
    id: 'pi_2',
    object: 'payment_intent',
    amount: 1_200,
    currency: 'jpy',
    status: 'requires_payment_method',
    created: 1_763_500_000,
    description: null,
  },
]
const customers: Row[] = [
  { id: 'cus_1', object: 'customer', name: 'Ben Ito', email: 'ben@example.org', created: 1_763_400_000 },
]
const stripeList = (rows: Row[], query: URLSearchParams) => {
  const start = rows.findIndex(({ id }) => id === query.get('starting_after')) + 1
  const { page, next } = paginate(rows, { limit: query.get('limit') ?? 10, start })
  return json(200, { object: 'list', data: page, has_more: next !== undefined })
}
const stripe: Routes = {
  'GET /payment_intents': ({ query }) => stripeList(payments, query),
  'GET /customers': ({ query, rows }) => {
    const email = query.get('email')
    return stripeList(
      rows('customers', customers)
        .filter((one) => email === null || one['email'] === email)
        .toReversed(),
      query,
    )
  },
  'POST /customers': async ({ headers, body, rows, saveRow }) => {
    if (!headers['content-type']?.includes('x-www-form-urlencoded'))
      return json(400, {
        error: { type: 'invalid_request_error', message: 'Invalid request body: send it as a form.' },
      })
    const key = headers['idempotency-key']
    const before = rows('customers').find((one) => key !== undefined && one['key'] === key)
    return json(
      200,
      before ??
        (await saveRow('customers', {
          id: `cus_${newId()}`,
          object: 'customer',
          name: body['name'] ?? null,
          email: body['email'] ?? null,
          created: Math.floor(Date.now() / 1_000),
          key,
        })),
    )
  },
}

const invoices: Row[] = [
  {
    id: 'INV2-AAAA',
    status: 'SENT',
    detail: { invoice_number: '0001', invoice_date: '2026-11-02', currency_code: 'EUR' },
    amount: { currency_code: 'EUR', value: '120.00' },
    due_amount: { currency_code: 'EUR', value: '120.00' },
    primary_recipients: [{ billing_info: { email_address: 'ben@example.org' } }],
  },
]
const paypal: Routes = {
  'GET /v2/invoicing/invoices': ({ query, rows }) => {
    const all = rows('invoices', invoices).toReversed()
    return json(200, {
      items: paginate(all, { limit: query.get('page_size') }).page,
      total_items: all.length,
      total_pages: 1,
      links: [],
    })
  },
  'POST /v2/invoicing/invoices': async ({ headers, body, rows, saveRow }) => {
    const [item] = (body['items'] as Row[] | undefined) ?? []
    const unit = record(item?.['unit_amount'])
    if (!item || !/^\d+(\.\d+)?$/.test(text(unit['value'])))
      return json(400, {
        name: 'INVALID_REQUEST',
        message: 'Request is not well-formed, syntactically incorrect, or violates schema.',
        details: [{ field: '/items', issue: 'MISSING_REQUIRED_PARAMETER' }],
      })
    const id = `INV2-${newId().toUpperCase()}`
    const number = String(rows('invoices', invoices).length + 1).padStart(4, '0')
    const made = await saveRow('invoices', {
      id,
      status: 'DRAFT',
      detail: {
        ...record(body['detail']),
        invoice_number: number,
        invoice_date: new Date().toISOString().slice(0, 10),
      },
      items: body['items'],
      amount: unit,
      due_amount: unit,
      primary_recipients: body['primary_recipients'],
    })
    const link = { rel: 'self', href: `https://api-m.paypal.com/v2/invoicing/invoices/${id}`, method: 'GET' }
    return json(201, headers['prefer'] === 'return=representation' ? { ...made, links: [link] } : link)
  },
}

/** Providers for shops and payments. */
export const shopRoutes: Readonly<Record<string, Routes>> = { shopify, stripe, paypal }
