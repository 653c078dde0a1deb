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

const rest = '/:cloud/rest/api/3'
const nullableName = z.object({ name: z.string() }).nullable().optional()
/** https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/ */
const document = strictObject({
  type: z.literal('doc'),
  version: z.literal(1),
  content: z.array(
    strictObject({
      type: z.literal('paragraph'),
      content: z.array(strictObject({ type: z.literal('text'), text: nonEmptyText })),
    }),
  ),
})

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3/ */
export const contract: Contract = {
  sources: [
    {
      name: 'jira.js, whose schemas are audited against the live API',
      url: 'https://github.com/MrRefactoring/jira.js',
      version: '6.2.0',
      checkedOn: '2026-11-21',
    },
    {
      name: 'REST API v3 reference (scopes)',
      url: 'https://developer.atlassian.com/cloud/jira/platform/rest/v3/',
      version: '3',
      checkedOn: '2026-11-20',
    },
  ],
  api: {
    version: '3',
    supportedUntil: null,
    source: 'https://developer.atlassian.com/cloud/jira/platform/changelog/',
  },
  oauth: atlassianOAuth,
  operations: {
    'GET /account/accessible-resources': accessibleResources,
    [`GET ${rest}/search/jql`]: {
      scopes: ['read:jira-work'],
      query: strictObject({
        jql: nonEmptyText,
        fields: nonEmptyText.optional(),
        maxResults: optionalIntUpTo(5_000),
        nextPageToken: nonEmptyText.optional(),
      }),
      response: z.object({
        issues: z
          .array(
            z.object({
              key: withExample(z.string(), 'WEB-1'),
              fields: z.object({
                summary: z.string().nullable().optional(),
                status: nullableName,
                priority: nullableName,
                assignee: z.object({ displayName: z.string() }).nullable().optional(),
                updated: withExample(z.string(), '2026-11-19T08:00:00.000+0000').nullable().optional(),
              }),
            }),
          )
          .optional(),
        isLast: z.boolean().optional(),
        nextPageToken: z.string().nullable().optional(),
      }),
    },
    [`GET ${rest}/project/search`]: {
      scopes: ['read:jira-work'],
      query: strictObject({
        maxResults: optionalIntUpTo(100),
        startAt: z.coerce.number().int().min(0).optional(),
      }),
      response: z.object({
        values: z.array(z.object({ id: z.string(), key: withExample(z.string(), 'WEB'), name: z.string() })),
        isLast: withExample(z.boolean(), true),
        total: z.number().int(),
      }),
    },
    [`POST ${rest}/issue`]: {
      scopes: ['write:jira-work'],
      body: strictObject({
        fields: strictObject({
          project: strictObject({ key: nonEmptyText }),
          issuetype: strictObject({ name: nonEmptyText }),
          summary: nonEmptyText.max(255),
          description: document.optional(),
        }),
      }),
      response: z.object({ id: z.string(), key: withExample(z.string(), 'WEB-2'), self: z.string() }),
    },
  },
  invalid: (message) => json(400, { errorMessages: [message], errors: {} }),
  forbidden: scopeMismatch,
  notFound: () => json(404, { errorMessages: ['No such resource'], errors: {} }),
}
