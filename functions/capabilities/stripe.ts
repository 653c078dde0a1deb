import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { capability, type Capability } from './capability.ts'
import { limit, singleLine, shortText } from './schemas.ts'

const pageSchema = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), has_more: z.boolean().default(false) })
const payment = z.object({
  id: z.string(),
  amount: z.number(),
  currency: z.string().regex(/^[a-z]{3}$/i),
  status: z.string(),
  created: z.number(),
  description: z.string().nullable().default(null),
})
const customer = z.object({
  id: z.string(),
  name: z.string().nullable().default(null),
  email: z.string().nullable().default(null),
  created: z.number(),
})

/**
 * Currencies whose amounts are not in hundredths: https://docs.stripe.com/currencies#zero-decimal and #three-decimal. ISO 4217 and `Intl`
 * count differently.
 */
const zeroDecimals = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const threeDecimals = new Set('bhd jod kwd omr tnd'.split(' '))

function formatMoney(amount: number, currency: string): string {
  const code = currency.toLowerCase()
  const digits = zeroDecimals.has(code) ? 0 : threeDecimals.has(code) ? 3 : 2
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency.toUpperCase()}`
}
const toIsoTime = (seconds: number) => new Date(seconds * 1_000).toISOString()
const formatCustomer = ({ id, name, email, created }: z.output<typeof customer>) => ({
  name: shortText(name),
  email: shortText(email),
  created: toIsoTime(created),
  id,
})

export const stripe: readonly Capability[] = [
  capability({
    id: 'list_payments',
    name: 'List payments',
    description: 'Lists the last payments in Stripe, newest first.',
    parameters: z.object({ limit: limit('payments') }),
    examples: ['Show the last Stripe payments'],
    async run(api, { limit: maxRows }, signal) {
      const found = pageSchema(payment).parse(
        await api.call('/payment_intents', { query: { limit: maxRows } }, signal),
      )
      const payments = found.data.map(({ id, amount, currency, status, created, description }) => ({
        amount: formatMoney(amount, currency),
        status: shortText(status),
        description: shortText(description),
        created: toIsoTime(created),
        id,
      }))
      return { payments, more: found.has_more }
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
    async run(api, { email, limit: maxRows }, signal) {
      const found = pageSchema(customer).parse(
        await api.call('/customers', { query: { email, limit: maxRows } }, signal),
      )
      return { customers: found.data.map(formatCustomer), more: found.has_more }
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
    async run(api, { name, email }, signal) {
      const headers = { 'idempotency-key': randomUUID() }
      const response = await api.call(
        '/customers',
        { method: 'POST', form: { name, email }, headers },
        signal,
      )
      return { created: true, customer: formatCustomer(customer.parse(response)) }
    },
  }),
]
