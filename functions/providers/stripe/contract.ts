import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const errorResponse = (status: number, message: string, code?: string) =>
  json(status, { error: { type: 'invalid_request_error', message, ...(code && { code }) } })
const pageParameters = { limit: optionalIntUpTo(100), starting_after: nonEmptyText.optional() }
const list = <Row extends z.ZodType>(row: Row) =>
  z.object({ object: z.literal('list'), data: z.array(row), has_more: z.boolean() })
const unixSeconds = z.number().int().min(1_500_000_000)
const customer = z.object({
  id: nonEmptyText,
  object: z.literal('customer'),
  name: z.string().nullish(),
  email: z.string().nullable(),
  created: unixSeconds,
})

/** https://docs.stripe.com/api: an unknown parameter is an error */
export const contract: Contract = {
  sources: [
    {
      name: 'stripe (types)',
      url: 'https://github.com/stripe/stripe-node',
      version: '23.1.0 (2026-10-28.endive)',
      checkedOn: '2026-11-21',
    },
  ],
  api: {
    version: 'v1; without a Stripe-Version header, the default version of the account',
    supportedUntil: null,
    source: 'https://docs.stripe.com/api/versioning',
  },
  keyScopes: ['rak_payment_intent_read', 'rak_customer_read'],
  operations: {
    'GET /payment_intents': {
      scopes: ['rak_payment_intent_read', 'rak_payment_intent_write'],
      query: strictObject(pageParameters),
      response: list(
        z.object({
          id: nonEmptyText,
          object: z.literal('payment_intent'),
          amount: z.number().int(),
          currency: withExample(z.string().regex(/^[a-z]{3}$/), 'eur'),
          status: z.string(),
          created: unixSeconds,
          description: z.string().nullable(),
        }),
      ),
    },
    'GET /customers': {
      scopes: ['rak_customer_read', 'rak_customer_write'],
      query: strictObject({ email: nonEmptyText.optional(), ...pageParameters }),
      response: list(customer),
    },
    'POST /customers': {
      scopes: ['rak_customer_write'],
      // a rule of this product: Stripe takes requests without a key, and could create a customer twice
      headers: z.looseObject({ 'idempotency-key': nonEmptyText.max(255) }),
      form: strictObject({ name: nonEmptyText.optional(), email: nonEmptyText.optional() }),
      response: customer,
    },
  },
  invalid: (message) => errorResponse(400, message, 'parameter_unknown'),
  forbidden: ([scope = '']) =>
    errorResponse(
      403,
      `The provided key does not have the required permissions for this endpoint. Having the '${scope}' permission would allow this request to continue.`,
    ),
  notFound: () => errorResponse(404, 'Unrecognized request URL.'),
}
