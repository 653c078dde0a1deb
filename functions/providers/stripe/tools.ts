import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { capability, type Capability } from '../capability.ts'
import { limit, optionalField, secondsToIsoTime, shortField, singleLine } from '../schemas.ts'

const page = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), has_more: z.boolean().default(false) })
const created = z.number().transform(secondsToIsoTime)
const payment = z
  .object({
    id: z.string(),
    amount: z.number(),
    currency: shortField,
    status: shortField,
    created,
    description: optionalField,
  })
  .transform(({ amount, currency, ...rest }) => ({ ...rest, amount: formatMoney(amount, currency) }))
const customer = z.object({ id: z.string(), name: optionalField, email: optionalField, created })

/**
 * Currencies whose amounts are not in hundredths: https://docs.stripe.com/currencies#zero-decimal and #three-decimal. ISO 4217 and `Intl`
 * count differently.
 */
const zeroDecimals = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const threeDecimals = new Set('bhd jod kwd omr tnd'.split(' '))

function formatMoney(amount: number, currency: string): string {
  const code = currency.toLowerCase()
  // what its smallest unit is, is not known
  if (!/^[a-z]{3}$/.test(code)) return `${amount} in the smallest unit of ${currency}`
  const digits = zeroDecimals.has(code) ? 0 : threeDecimals.has(code) ? 3 : 2
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency.toUpperCase()}`
}

export const tools: readonly Capability[] = [
  capability({
    id: 'list_payments',
    name: 'List payments',
    description: 'Lists the last payments in Stripe, newest first.',
    parameters: z.object({ limit: limit('payments') }),
    examples: ['Show the last Stripe payments'],
    async run(api, query) {
      const { data, has_more } = await api.get(page(payment), '/payment_intents', query)
      return { payments: data, more: has_more }
    },
  }),
  capability({
    id: 'list_customers',
    name: 'List customers',
    description: 'Lists the customers in Stripe, newest first, or the one with an e-mail address.',
    parameters: z.object({
      email: z.email().optional().describe('e-mail address of the customer'),
      limit: limit('customers'),
    }),
    examples: ['Who are my newest Stripe customers?'],
    async run(api, query) {
      const { data, has_more } = await api.get(page(customer), '/customers', query)
      return { customers: data, more: has_more }
    },
  }),
  capability({
    id: 'create_customer',
    name: 'Create a customer',
    description: 'Creates (adds) a customer in Stripe.',
    parameters: z.object({
      name: singleLine('name of the customer'),
      email: z.email().describe('e-mail address of the customer'),
    }),
    examples: ['Add Ann Lee, ann@example.org, as a Stripe customer'],
    writes: true,
    async run(api, form) {
      const headers = { 'idempotency-key': randomUUID() }
      return { created: true, customer: await api.post(customer, '/customers', { form, headers }) }
    },
  }),
]
