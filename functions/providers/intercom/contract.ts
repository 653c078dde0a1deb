import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const headers = z.looseObject({ 'intercom-version': z.literal('2.13') })
/** the OpenAPI file declares no field as required; an id is always there */
const conversation = z.object({
  id: z.string(),
  title: z.string().nullable().optional(),
  state: z.enum(['open', 'closed', 'snoozed']).optional(),
  updated_at: z.number().int().optional(),
  source: z
    .object({
      body: z.string().nullable().optional(),
      author: z
        .object({ name: z.string().nullable().optional(), email: z.string().nullable().optional() })
        .optional(),
    })
    .optional(),
})

/** https://developers.intercom.com/docs/references/rest-api/api.intercom.io/conversations */
export const contract: Contract = {
  sources: [
    {
      name: 'Intercom-OpenAPI (descriptions/2.13/api.intercom.io.yaml)',
      url: 'https://github.com/intercom/Intercom-OpenAPI',
      version: 'commit 8889625, 2026-08-21',
      checkedOn: '2026-11-21',
    },
  ],
  api: {
    version: '2.13',
    supportedUntil: null,
    source:
      'https://developers.intercom.com/docs/build-an-integration/learn-more/rest-apis/update-your-api-version',
  },
  unverified: ['the order of a search without `sort`, which the description does not have'],
  oauth: {},
  operations: {
    'GET /me': { headers, response: z.object({ id: z.string() }) },
    'POST /conversations/search': {
      headers,
      body: strictObject({
        query: strictObject({
          field: z.enum(['state', 'open', 'updated_at', 'created_at']),
          operator: z.enum(['=', '!=', '>', '<']),
          value: z.union([z.string(), z.number(), z.boolean()]),
        }),
        pagination: strictObject({
          per_page: z.number().int().min(1).max(150).optional(),
          starting_after: nonEmptyText.nullable().optional(),
        }).optional(),
      }),
      response: z.object({
        conversations: z.array(conversation),
        pages: z
          .object({
            next: z.object({ starting_after: z.string().nullable().optional() }).nullable().optional(),
          })
          .nullable()
          .optional(),
      }),
    },
    'POST /conversations/:id/reply': {
      headers,
      body: strictObject({
        message_type: z.enum(['comment', 'note']),
        type: z.literal('admin'),
        admin_id: nonEmptyText,
        body: nonEmptyText.optional(),
      }),
      response: conversation,
    },
  },
  invalid: (message) => json(400, { type: 'error.list', errors: [{ code: 'parameter_invalid', message }] }),
  // permissions are set in the app
  forbidden: () =>
    json(403, {
      type: 'error.list',
      errors: [{ code: 'forbidden', message: 'Not authorized to access resource' }],
    }),
  notFound: () =>
    json(404, { type: 'error.list', errors: [{ code: 'not_found', message: 'Resource Not Found' }] }),
}
