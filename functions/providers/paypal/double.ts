import { newId, ok, paginate, record, type Double } from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import type { Row } from '../../../infra/local/doubles/providers/store.ts'

export const double: Double = {
  rows: {
    invoices: [
      {
        id: 'INV2-AAAA',
        status: 'SENT',
        detail: { invoice_number: '0001', invoice_date: '2026-11-02', currency_code: 'EUR' },
        amount: { currency_code: 'EUR', value: '120.00' },
        due_amount: { currency_code: 'EUR', value: '120.00' },
        primary_recipients: [{ billing_info: { email_address: 'ben@example.org' } }],
      },
    ],
  },
  routes: {
    'GET /v2/invoicing/invoices': ({ query, rows }) => {
      const all = rows('invoices').toReversed()
      const items = paginate(all, query.get('page_size')).page
      return ok({ items, total_items: all.length, total_pages: 1, links: [] })
    },
    'POST /v2/invoicing/invoices': async ({ headers, body, rows, saveRow }) => {
      const { detail, items, primary_recipients } = body
      const amount = record((items as Row[])[0]?.['unit_amount'])
      const id = `INV2-${newId().toUpperCase()}`
      const invoice_number = String(rows('invoices').length + 1).padStart(4, '0')
      const invoice_date = new Date().toISOString().slice(0, 10)
      const made = await saveRow('invoices', {
        id,
        status: 'DRAFT',
        detail: { ...record(detail), invoice_number, invoice_date },
        items,
        amount,
        due_amount: amount,
        primary_recipients,
      })
      const href = `https://api-m.paypal.com/v2/invoicing/invoices/${id}`
      const link = { rel: 'self', href, method: 'GET' }
      return json(201, headers['prefer'] === 'return=representation' ? { ...made, links: [link] } : link)
    },
  },
}
