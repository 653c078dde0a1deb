import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  withExample,
  graphql,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const first = z.number().int().min(1).max(250)
const issue = z.object({
  identifier: z.string(),
  title: z.string(),
  url: withExample(z.string(), 'https://linear.app/example/issue/ENG-1'),
  updatedAt: withExample(z.string(), '2026-11-17T10:00:00.000Z'),
  state: z.object({ name: z.string() }),
  assignee: z.object({ displayName: z.string() }).nullable().optional(),
})
const issueWords = 'identifier title url updatedAt state name assignee displayName'
const data = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ data: z.object(shape) })

/** https://linear.app/developers/graphql */
export const contract: Contract = {
  sources: [
    {
      name: '@linear/sdk, generated from the schema',
      url: 'https://github.com/linear/linear',
      version: '98.0.0',
      checkedOn: '2026-11-21',
    },
    {
      name: 'OAuth 2.0 authentication (scopes, lifetime of tokens)',
      url: 'https://linear.app/developers/oauth-2-0-authentication',
      version: 'read 2026-11',
      checkedOn: '2026-11-21',
    },
  ],
  api: { version: 'unversioned', supportedUntil: null, source: 'https://linear.app/developers/deprecations' },
  unverified: ['whether a revocation takes the refresh token in a form, as RFC 7009 says'],
  oauth: { parameters: ['prompt', 'actor'], pkce: true },
  operations: {
    'QUERY Issues': {
      scopes: ['read'],
      body: graphql(
        `query Issues first Int filter IssueFilter issues orderBy nodes pageInfo hasNextPage ${issueWords}`,
        strictObject({
          first,
          filter: strictObject({ title: strictObject({ containsIgnoreCase: nonEmptyText }) }).optional(),
        }),
      ),
      response: data({
        issues: z.object({ nodes: z.array(issue), pageInfo: z.object({ hasNextPage: z.boolean() }) }),
      }),
    },
    'QUERY Teams': {
      scopes: ['read'],
      body: graphql('query Teams first Int teams nodes id name key', strictObject({ first })),
      response: data({
        teams: z.object({
          nodes: z.array(z.object({ id: z.string(), name: z.string(), key: withExample(z.string(), 'ENG') })),
        }),
      }),
    },
    'MUTATION IssueCreate': {
      scopes: ['issues:create', 'write'],
      body: graphql(
        `mutation IssueCreate input IssueCreateInput issueCreate success issue ${issueWords}`,
        strictObject({
          input: strictObject({
            teamId: nonEmptyText,
            title: nonEmptyText,
            description: z.string().optional(),
          }),
        }),
      ),
      response: data({
        issueCreate: z.object({
          success: withExample(z.boolean(), true),
          issue: issue.nullable().optional(),
        }),
      }),
    },
  },
  failure: z.object({ errors: z.array(z.object({ message: z.string() })).min(1) }),
  invalid: (message) => json(400, { errors: [{ message, extensions: { code: 'INVALID_INPUT' } }] }),
  forbidden: (scopes) =>
    json(400, {
      errors: [
        { message: `Invalid scope: \`${scopes[0] ?? ''}\` required`, extensions: { code: 'FORBIDDEN' } },
      ],
    }),
  notFound: () =>
    json(400, {
      errors: [{ message: 'Cannot query field', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    }),
}
