import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const question = { id: z.string(), title: z.string().optional() }
const date = withExample(z.string(), '2026-11-18T10:00:00Z')

/** https://www.typeform.com/developers/create/ and …/responses/ */
export const contract: Contract = {
  sources: [
    {
      name: '@typeform/api-client',
      url: 'https://github.com/Typeform/js-api-client',
      version: '2.10.4',
      checkedOn: '2026-11-21',
    },
  ],
  api: {
    version: 'unversioned',
    supportedUntil: null,
    source: 'https://www.typeform.com/developers/changelog/',
  },
  unverified: ['the error of a token without the scope'],
  oauth: { scopes: ['offline'] },
  readsOnly: 'the scopes that are asked for only read',
  operations: {
    'GET /forms': {
      scopes: ['forms:read'],
      query: strictObject({
        page_size: optionalIntUpTo(200),
        search: nonEmptyText.optional(),
        page: optionalIntUpTo(1_000),
      }),
      response: z.object({
        total_items: z.number().int(),
        page_count: z.number().int(),
        items: z.array(
          z.object({
            id: z.string(),
            title: withExample(z.string(), 'Customer survey'),
            last_updated_at: date,
            _links: z.object({ display: withExample(z.string(), 'https://example.typeform.com/to/u6nXL7') }),
          }),
        ),
      }),
    },
    'GET /forms/:id': {
      scopes: ['forms:read'],
      response: z.object({
        fields: z
          .array(
            z.object({
              ...question,
              properties: z.object({ fields: z.array(z.object(question)).optional() }).optional(),
            }),
          )
          .optional(),
      }),
    },
    'GET /forms/:id/responses': {
      scopes: ['responses:read'],
      query: strictObject({ page_size: optionalIntUpTo(1_000), before: nonEmptyText.optional() }),
      response: z.object({
        total_items: z.number().int(),
        page_count: z.number().int(),
        items: z.array(
          z.object({
            // the reference names it beside response_id, which is the same
            token: z.string().optional(),
            response_id: z.string().optional(),
            submitted_at: date.optional(),
            answers: z
              .array(
                z.looseObject({
                  type: withExample(z.string(), 'text').optional(),
                  field: z.object({ id: z.string().optional() }).optional(),
                }),
              )
              .nullable()
              .optional(),
          }),
        ),
      }),
    },
  },
  invalid: (description) => json(400, { code: 'VALIDATION_ERROR', description }),
  forbidden: (scopes) =>
    json(403, { code: 'FORBIDDEN', description: `The token has not the scope ${scopes[0] ?? ''}` }),
  notFound: () => json(404, { code: 'NOT_FOUND', description: 'not found' }),
}
