import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { capability, type Capability } from './capability.ts'
import { limit, singleLine, longText, shortText } from './schemas.ts'

const invoicesPath = '/v2/invoicing/invoices'
/** currencies without decimals: https://developer.paypal.com/reference/currency-codes/ */
const wholeCurrencies = new Set(['HUF', 'JPY', 'TWD'])
/** Nothing is required in a response, not even the id. */
const money = z.object({ currency_code: z.string().optional(), value: z.string().optional() })
const invoice = z.object({
  id: z.string().optional(),
  status: z.string().default(''),
  detail: z
    .object({
      invoice_number: z.string().optional(),
      invoice_date: z.string().optional(),
      note: z.string().optional(),
    })
    .default({}),
  amount: money.optional(),
  due_amount: money.optional(),
  primary_recipients: z
    .array(z.object({ billing_info: z.object({ email_address: z.string().optional() }).optional() }))
    .default([]),
})
const formatAmount = (value: z.output<typeof money> | undefined) =>
  value?.value && shortText([value.value, value.currency_code].filter((part) => part).join(' '))
const formatInvoice = ({
  id,
  status,
  detail,
  amount,
  due_amount,
  primary_recipients,
}: z.output<typeof invoice>) => ({
  number: shortText(detail.invoice_number),
  to: shortText(primary_recipients[0]?.billing_info?.email_address),
  amount: formatAmount(amount),
  due: formatAmount(due_amount),
  status: shortText(status),
  date: detail.invoice_date,
  id,
})

export const paypal: readonly Capability[] = [
  capability({
    id: 'list_invoices',
    name: 'List invoices',
    description: 'Lists the invoices of the PayPal account.',
    parameters: z.object({ limit: limit('invoices') }),
    examples: ['Show my PayPal invoices'],
    async run(api, { limit: maxRows }, signal) {
      const query = { page: 1, page_size: maxRows, total_required: true }
      const found = z
        .object({ items: z.array(invoice).default([]), total_items: z.number().default(0) })
        .parse(await api.call(invoicesPath, { query }, signal))
      return { invoices: found.items.map(formatInvoice), more: found.total_items > found.items.length }
    },
  }),
  capability({
    id: 'create_invoice',
    name: 'Create an invoice',
    description: 'Creates the draft of an invoice in PayPal; it is not sent yet.',
    parameters: z.object({
      email: z.email().describe('e-mail address of the person who is to pay'),
      title: singleLine('what is to be paid for', 200),
      amount: z.number().positive().max(1_000_000).describe('price in the currency'),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .default('USD')
        .describe('three letters, such as EUR'),
      note: longText('words to the recipient', 4_000).optional(),
    }),
    examples: ['Draft a PayPal invoice over 120 for "Consulting" to ann@example.org'],
    writes: true,
    async run(api, { email, title, amount, currency, note }, signal) {
      const { maximumFractionDigits } = new Intl.NumberFormat('en', {
        style: 'currency',
        currency,
      }).resolvedOptions()
      const digits = wholeCurrencies.has(currency) ? 0 : maximumFractionDigits
      const json = {
        detail: { currency_code: currency, note },
        primary_recipients: [{ billing_info: { email_address: email } }],
        items: [
          {
            name: title,
            quantity: '1',
            unit_amount: { currency_code: currency, value: amount.toFixed(digits) },
          },
        ],
      }
      // otherwise the response is only a link
      const headers = { prefer: 'return=representation', 'paypal-request-id': randomUUID() }
      const created = invoice.parse(await api.call(invoicesPath, { method: 'POST', json, headers }, signal))
      return { created: true, title, invoice: formatInvoice(created) }
    },
  }),
]
