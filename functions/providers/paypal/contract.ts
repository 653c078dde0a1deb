import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  email,
  withExample,
  flag,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const invoices = '/v2/invoicing/invoices'
const requestAmount = strictObject({
  currency_code: z.string().length(3),
  value: z
    .string()
    .max(32)
    .regex(/^((-?\d+)|(-?(\d+)?[.]\d+))$/),
})
/** PayPal's response may leave out every field. */
const responseAmount = z
  .object({
    currency_code: withExample(z.string(), 'EUR').optional(),
    value: withExample(z.string(), '120.00').optional(),
  })
  .optional()
const invoice = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  detail: z.object({ invoice_number: z.string().optional(), invoice_date: z.string().optional() }).optional(),
  amount: responseAmount,
  due_amount: responseAmount,
  primary_recipients: z
    .array(z.object({ billing_info: z.object({ email_address: z.string().optional() }).optional() }))
    .optional(),
})
// the first is requested at sign-in; the second is what the OpenAPI file names for client credentials
const scopes = (name: string) => [
  'https://uri.paypal.com/services/invoicing',
  `https://uri.paypal.com/services/invoicing/invoices/${name}`,
]

/** https://developer.paypal.com/docs/api/invoicing/v2/ */
export const contract: Contract = {
  sources: [
    {
      name: 'paypal-rest-api-specifications (openapi/invoicing_v2.json)',
      url: 'https://github.com/paypal/paypal-rest-api-specifications',
      version: '2.3, commit ec4d8f3, 2024-02-03',
      checkedOn: '2026-11-21',
    },
  ],
  api: { version: 'v2', supportedUntil: null, source: 'https://developer.paypal.com/docs/api/invoicing/v2/' },
  unverified: [
    'whether a sign-in is granted invoicing: the OpenAPI file names client credentials only (try it in a sandbox)',
  ],
  oauth: { scopes: ['openid'], clientAuth: 'basic' },
  operations: {
    [`GET ${invoices}`]: {
      scopes: scopes('read'),
      query: strictObject({
        page: optionalIntUpTo(1_000),
        page_size: optionalIntUpTo(100),
        total_required: flag.optional(),
      }),
      response: z.object({
        items: z.array(invoice).optional(),
        total_items: z.number().int().optional(),
      }),
    },
    [`POST ${invoices}`]: {
      scopes: scopes('readwrite'),
      headers: z.looseObject({ prefer: z.enum(['return=representation', 'return=minimal']).optional() }),
      body: strictObject({
        detail: strictObject({ currency_code: z.string().length(3), note: z.string().max(4_000).optional() }),
        primary_recipients: z
          .array(strictObject({ billing_info: strictObject({ email_address: email }) }))
          .max(100)
          .optional(),
        items: z
          .array(
            strictObject({
              name: nonEmptyText.max(200),
              quantity: z.string().regex(/^\d+$/),
              unit_amount: requestAmount,
            }),
          )
          .max(100)
          .optional(),
      }),
      response: invoice,
    },
  },
  invalid: (message) => json(400, { name: 'INVALID_REQUEST', message }),
  forbidden: () =>
    json(403, {
      name: 'NOT_AUTHORIZED',
      message: 'Authorization failed due to insufficient permissions.',
    }),
  notFound: () =>
    json(404, { name: 'RESOURCE_NOT_FOUND', message: 'The specified resource does not exist.' }),
}
