import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const meeting = z.object({
  // a string in the description of 2021, a number in the reference
  id: z.union([z.number(), z.string()]),
  topic: z.string().optional(),
  start_time: withExample(z.string(), '2026-12-01T10:00:00Z').optional(),
  duration: z.number().int().optional(),
  timezone: z.string().optional(),
  join_url: withExample(z.string(), 'https://zoom.us/j/86000000001').optional(),
  agenda: z.string().optional(),
})

/** https://developers.zoom.us/docs/api/meetings/ */
export const contract: Contract = {
  sources: [
    {
      name: 'zoom/api (openapi.v2.json)',
      url: 'https://github.com/zoom/api',
      version: 'commit 4429982, 2021-06-03',
      checkedOn: '2026-11-21',
    },
    {
      name: 'OAuth scopes',
      url: 'https://developers.zoom.us/docs/internal-apps/oauth-scopes-overview/',
      version: 'granular scopes',
      checkedOn: '2026-11-20',
    },
  ],
  api: { version: 'v2', supportedUntil: null, source: 'https://developers.zoom.us/docs/api/' },
  unverified: ['what the consent page shows for a scope that the app does not have; so none is requested'],
  oauth: { pkce: true, clientAuth: 'basic' },
  operations: {
    'GET /users/me/meetings': {
      scopes: ['meeting:read:list_meetings', 'meeting:read'],
      query: strictObject({
        type: z.enum(['scheduled', 'live', 'upcoming', 'upcoming_meetings', 'previous_meetings']).optional(),
        page_size: optionalIntUpTo(300),
        next_page_token: nonEmptyText.optional(),
      }),
      response: z.object({ meetings: z.array(meeting), next_page_token: z.string().optional() }),
    },
    'POST /users/me/meetings': {
      scopes: ['meeting:write:meeting', 'meeting:write'],
      body: strictObject({
        topic: nonEmptyText.max(200).optional(),
        type: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(8)]).optional(),
        // "yyyy-MM-ddTHH:mm:ssZ" for UTC
        start_time: z
          .string()
          .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?$/)
          .optional(),
        duration: z.number().int().optional(),
        agenda: z.string().max(2_000).optional(),
      }),
      response: meeting,
    },
  },
  invalid: (message) => json(400, { code: 300, message }),
  forbidden: (scopes) =>
    json(400, { code: 4711, message: `Invalid access token, does not contain scopes:[${scopes[0] ?? ''}].` }),
  notFound: () => json(404, { code: 404, message: 'This API endpoint is not recognized.' }),
}
