import { newId, ok, paginate, type Double } from '../../../infra/local/doubles/providers/double.ts'
import type { Row } from '../../../infra/local/doubles/providers/store.ts'

const stripeList = (rows: Row[], query: URLSearchParams) => {
  const start = rows.findIndex(({ id }) => id === query.get('starting_after')) + 1
  const { page, next } = paginate(rows, query.get('limit') ?? 10, start)
  return ok({ object: 'list', data: page, has_more: next !== undefined })
}

export const double: Double = {
  rows: {
    payments: [
      {
        id: 'pi_1',
        object: 'payment_intent',
        amount: 4350,
        currency: 'eur',
        status: 'succeeded',
        created: 1763550000,
        description: 'Order 1001',
      },
      {
        id: 'pi_2',
        object: 'payment_intent',
        amount: 1200,
        currency: 'jpy',
        status: 'requires_payment_method',
        created: 1763500000,
        description: null,
      },
    ],
    customers: [
      { id: 'cus_1', object: 'customer', name: 'Ben Ito', email: 'ben@example.org', created: 1763400000 },
    ],
  },
  routes: {
    'GET /payment_intents': ({ query, rows }) => stripeList(rows('payments'), query),
    'GET /customers': ({ query, rows }) => {
      const email = query.get('email')
      const found = rows('customers').filter((one) => email === null || one['email'] === email)
      return stripeList(found.toReversed(), query)
    },
    'POST /customers': async ({ headers, body: { name = null, email = null }, rows, saveRow }) => {
      const key = headers['idempotency-key']
      const before = rows('customers').find((one) => key !== undefined && one['key'] === key)
      const created = Math.floor(Date.now() / 1_000)
      const customer = { id: `cus_${newId()}`, object: 'customer', name, email, created, key }
      return ok(before ?? (await saveRow('customers', customer)))
    },
  },
}
