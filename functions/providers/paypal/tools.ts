import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { capability, type Capability } from '../capability.ts'
import { limit, optionalField, singleLine, longText, shortText } from '../schemas.ts'

const invoicesPath = '/v2/invoicing/invoices'
/** currencies without decimals: https://developer.paypal.com/reference/currency-codes/ */
const wholeCurrencies = new Set(['HUF', 'JPY', 'TWD'])
/** Nothing is required in a response, not even the id. */
const money = z
  .object({ currency_code: z.string().optional(), value: z.string().optional() })
  .transform(({ value, currency_code: currency }) => value && shortText(`${value} ${currency ?? ''}`))
  .optional()
const recipient = z.object({ billing_info: z.object({ email_address: z.string().optional() }).optional() })
const invoice = z
  .object({
    id: z.string().optional(),
    status: optionalField,
    detail: z.object({ invoice_number: z.string(), invoice_date: z.string() }).partial().default({}),
    amount: money,
    due_amount: money,
    primary_recipients: z.array(recipient).default([]),
  })
  .transform(({ id, status, detail, amount, due_amount, primary_recipients }) => ({
    number: shortText(detail.invoice_number),
    to: shortText(primary_recipients[0]?.billing_info?.email_address),
    amount,
    due: due_amount,
    status,
    date: detail.invoice_date,
    id,
  }))
const invoicePage = z.object({ items: z.array(invoice).default([]), total_items: z.number().default(0) })

export const tools: readonly Capability[] = [
  capability({
    id: 'list_invoices',
    name: 'List invoices',
    description: 'Lists the invoices of the PayPal account.',
    parameters: z.object({ limit: limit('invoices') }),
    examples: ['Show my PayPal invoices'],
    async run(api, { limit: maxRows }) {
      const query = { page: 1, page_size: maxRows, total_required: true }
      const { items, total_items } = await api.get(invoicePage, invoicesPath, query)
      return { invoices: items, more: total_items > items.length }
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
    async run(api, { email, title, amount, currency, note }) {
      const { maximumFractionDigits } = new Intl.NumberFormat('en', {
        style: 'currency',
        currency,
      }).resolvedOptions()
      const digits = wholeCurrencies.has(currency) ? 0 : maximumFractionDigits
      const price = { currency_code: currency, value: amount.toFixed(digits) }
      const json = {
        detail: { currency_code: currency, note },
        primary_recipients: [{ billing_info: { email_address: email } }],
        items: [{ name: title, quantity: '1', unit_amount: price }],
      }
      // otherwise the response is only a link
      const headers = { prefer: 'return=representation', 'paypal-request-id': randomUUID() }
      return { created: true, title, invoice: await api.post(invoice, invoicesPath, { json, headers }) }
    },
  }),
]
