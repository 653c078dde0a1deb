import * as z from 'zod'
import { json } from '../http.ts'
import { type Contract, count, example, strict, text } from './contract.ts'

const failure = (status: number, message: string, code?: string) =>
  json(status, { error: { type: 'invalid_request_error', message, ...(code && { code }) } })
const page = { limit: count(100), starting_after: text.optional(), ending_before: text.optional() }
const list = <Row extends z.ZodType>(row: Row) =>
  z.object({ object: z.literal('list'), data: z.array(row), has_more: z.boolean() })
const seconds = z.number().int().min(1_500_000_000)
const customer = z.object({
  id: text,
  object: z.literal('customer'),
  name: z.string().nullish(),
  email: z.string().nullable(),
  created: seconds,
})

/** https://docs.stripe.com/api: an unknown parameter is an error */
export const stripe: Contract = {
  sources: [
    {
      name: 'stripe (types)',
      url: 'https://github.com/stripe/stripe-node',
      version: '23.1.0 (2026-10-28.endive)',
      checkedOn: '2026-11-21',
    },
  ],
  api: {
    version: 'v1, in the version that is set in the account',
    supportedUntil: null,
    source: 'https://docs.stripe.com/api/versioning',
  },
  operations: {
    'GET /payment_intents': {
      scopes: ['rak_payment_intent_read', 'rak_payment_intent_write'],
      query: strict(page),
      response: list(
        z.object({
          id: text,
          object: z.literal('payment_intent'),
          amount: z.number().int(),
          currency: example(z.string().regex(/^[a-z]{3}$/), 'eur'),
          status: z.string(),
          created: seconds,
          description: z.string().nullable(),
        }),
      ),
    },
    'GET /customers': {
      scopes: ['rak_customer_read', 'rak_customer_write'],
      query: strict({ email: text.optional(), ...page }),
      response: list(customer),
    },
    'POST /customers': {
      scopes: ['rak_customer_write'],
      headers: z.looseObject({ 'idempotency-key': text.max(255) }),
      form: strict({ name: text.optional(), email: text.optional() }),
      response: customer,
    },
  },
  invalid: (message) => failure(400, message, 'parameter_unknown'),
  forbidden: ([scope = '']) =>
    failure(
      403,
      `The provided key does not have the required permissions for this endpoint. Having the '${scope}' permission would allow this request to continue.`,
    ),
  notFound: () => failure(404, 'Unrecognized request URL.'),
}
