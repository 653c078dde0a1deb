import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const page = {
  count: optionalIntUpTo(1_000),
  fields: nonEmptyText.optional(),
  offset: z.coerce.number().int().min(0).optional(),
}
const member = z.object({
  id: z.string(),
  email_address: z.string(),
  status: z.enum(['subscribed', 'unsubscribed', 'cleaned', 'pending', 'transactional', 'archived']),
  full_name: z.string().optional(),
})

/** https://mailchimp.com/developer/marketing/api/lists/ */
export const contract: Contract = {
  sources: [
    {
      name: '@mailchimp/mailchimp_marketing',
      url: 'https://github.com/mailchimp/mailchimp-marketing-node',
      version: '3.0.80',
      checkedOn: '2026-11-21',
    },
  ],
  api: { version: '3.0', supportedUntil: null, source: 'https://mailchimp.com/developer/release-notes/' },
  unverified: ['which fields of a response may be missing or null: the client has no types of them'],
  oauth: {},
  operations: {
    // OAuth 2 guide: the host of the API depends on the data centre
    'GET /account/metadata': {
      headers: z.looseObject({ authorization: z.string().startsWith('OAuth ') }),
      response: z.object({ dc: withExample(z.string().regex(/^[a-z]{2}\d+$/), 'us21') }),
    },
    'GET /lists': {
      query: strictObject(page),
      response: z.object({
        lists: z.array(
          z.object({
            id: z.string(),
            name: withExample(z.string(), 'Newsletter'),
            stats: z.object({ member_count: z.number().int() }).optional(),
            date_created: z.string().optional(),
          }),
        ),
        total_items: z.number().int(),
      }),
    },
    'GET /lists/:id/members': {
      query: strictObject(page),
      response: z.object({ members: z.array(member), total_items: z.number().int() }),
    },
    'POST /lists/:id/members': {
      body: strictObject({
        email_address: nonEmptyText,
        status: z.enum(['subscribed', 'unsubscribed', 'cleaned', 'pending', 'transactional']),
      }),
      response: member,
    },
  },
  invalid: (detail) => json(400, { title: 'Invalid Resource', status: 400, detail }),
  // the API has no scopes
  forbidden: () => json(403, { title: 'Forbidden', status: 403, detail: 'The user has no access to this.' }),
  notFound: () =>
    json(404, {
      title: 'Resource Not Found',
      status: 404,
      detail: 'The requested resource could not be found.',
    }),
}
