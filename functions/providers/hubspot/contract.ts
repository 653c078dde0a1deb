import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  flag,
  strictObject,
  nonEmptyText,
  time,
} from '../../../test/support/provider-contracts/contract.ts'

const failure = (status: number, message: string, category: string, context = {}) =>
  json(status, {
    status: 'error',
    message,
    correlationId: '00000000-0000-4000-8000-000000000000',
    category,
    ...context,
  })

const listOperation = (object: string) => ({
  scopes: [`crm.objects.${object}.read`],
  query: strictObject({
    limit: optionalIntUpTo(100),
    properties: nonEmptyText.optional(),
    archived: flag.optional(),
    after: nonEmptyText.optional(),
  }),
  response: z.object({
    results: z.array(
      z.object({
        id: nonEmptyText,
        properties: z.record(z.string(), z.string().nullable()),
        createdAt: time,
        updatedAt: time,
        archived: z.boolean().optional(),
      }),
    ),
    paging: z
      .object({ next: z.object({ after: nonEmptyText, link: z.string().optional() }).optional() })
      .optional(),
  }),
})

/** https://developers.hubspot.com/docs/api-reference/2026-03/overview */
export const contract: Contract = {
  sources: [
    {
      name: '@hubspot/api-client (generated from HubSpot-public-api-spec-collection)',
      url: 'https://github.com/HubSpot/HubSpot-public-api-spec-collection',
      version: '14.0.1; specification 2026-03',
      checkedOn: '2026-11-21',
    },
  ],
  // released on 2026-03-30 and supported for at least 18 months
  api: {
    version: '2026-03',
    supportedUntil: '2027-09-30',
    source: 'https://developers.hubspot.com/docs/guides',
  },
  oauth: { parameters: ['optional_scope'], scopes: ['oauth'], pkce: true },
  readsOnly: 'the scopes that are asked for only read',
  operations: {
    'GET /crm/objects/2026-03/contacts': listOperation('contacts'),
    'GET /crm/objects/2026-03/deals': listOperation('deals'),
  },
  invalid: (message) => failure(400, message, 'VALIDATION_ERROR'),
  forbidden: (scopes) =>
    failure(403, "This app hasn't been granted all required scopes to make this call.", 'MISSING_SCOPES', {
      errors: [
        {
          message: 'One or more of the following scopes are required.',
          context: { requiredGranularScopes: scopes },
        },
      ],
    }),
  notFound: () => failure(404, 'resource not found', 'OBJECT_NOT_FOUND'),
}
