import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  accessibleResources,
  scopeMismatch,
  atlassianOAuth,
} from '../../../test/support/provider-contracts/atlassian.ts'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

/** https://developer.atlassian.com/cloud/confluence/rest/v1/ for the search, v2 for pages */
export const contract: Contract = {
  sources: [
    {
      name: 'confluence.js, whose schemas are audited against the live API',
      url: 'https://github.com/MrRefactoring/confluence.js',
      version: '3.2.0',
      checkedOn: '2026-11-21',
    },
    {
      name: 'REST API v2 reference (scopes)',
      url: 'https://developer.atlassian.com/cloud/confluence/rest/v2/',
      version: '2',
      checkedOn: '2026-11-20',
    },
  ],
  api: {
    version: 'v1 (search), v2 (pages)',
    supportedUntil: null,
    source: 'https://developer.atlassian.com/cloud/confluence/changelog/',
  },
  unverified: [
    'whether the search accepts a token with classic and granular scopes (https://github.com/Troubladore/mcp-atlassian/issues/335)',
  ],
  oauth: atlassianOAuth,
  readsOnly: 'the scopes that are asked for only read',
  operations: {
    'GET /account/accessible-resources': accessibleResources,
    'GET /:cloud/wiki/rest/api/search': {
      scopes: ['search:confluence'],
      query: strictObject({
        cql: nonEmptyText,
        limit: optionalIntUpTo(250),
        cursor: nonEmptyText.optional(),
      }),
      response: z.object({
        results: z.array(
          z.object({
            content: z.object({ id: z.string().optional() }).optional(),
            title: z.string(),
            excerpt: z.string(),
            url: withExample(z.string(), '/spaces/HR/pages/98765/Onboarding'),
            lastModified: withExample(z.string(), '2026-11-12T09:00:00.000Z'),
            resultGlobalContainer: z.object({ title: z.string() }).optional(),
          }),
        ),
        totalSize: z.number().int(),
      }),
    },
    'GET /:cloud/wiki/api/v2/pages/:id': {
      scopes: ['read:page:confluence'],
      query: strictObject({ 'body-format': z.enum(['storage', 'atlas_doc_format', 'view']).optional() }),
      response: z.object({
        id: z.string().optional(),
        title: z.string().nullable().optional(),
        body: z
          .object({ storage: z.object({ value: z.string().optional() }).optional() })
          .nullable()
          .optional(),
      }),
    },
  },
  invalid: (message) => json(400, { statusCode: 400, message }),
  forbidden: scopeMismatch,
  notFound: () => json(404, { statusCode: 404, message: 'Not Found' }),
}
