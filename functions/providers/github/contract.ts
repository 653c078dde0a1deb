import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

// https://docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api: User-Agent is required
const headers = z.looseObject({
  'user-agent': nonEmptyText,
  accept: z.literal('application/vnd.github+json'),
  'x-github-api-version': z.enum(['2022-11-28', '2026-03-10']),
})
const page = { per_page: optionalIntUpTo(100), page: optionalIntUpTo(1_000) }
const issuesQuery = strictObject({
  state: z.enum(['open', 'closed', 'all']).optional(),
  sort: z.enum(['created', 'updated', 'comments']).optional(),
  ...page,
})
const issue = z.object({
  number: z.number().int(),
  title: z.string(),
  state: z.string(),
  html_url: z.url(),
  user: z.object({ login: z.string() }).nullable(),
  body: z.string().nullable().optional(),
  pull_request: z.object({ html_url: z.url().nullable() }).optional(),
  repository: z.object({ full_name: z.string() }).optional(),
})
const scopes = ['repo', 'public_repo']

/** https://docs.github.com/rest */
export const contract: Contract = {
  sources: [
    {
      name: '@octokit/openapi-types (rest-api-description)',
      url: 'https://github.com/github/rest-api-description',
      version: '29.0.1 (OpenAPI 23.0.1)',
      checkedOn: '2026-11-21',
    },
  ],
  // supported for at least 24 months after its successor
  api: {
    version: 'X-GitHub-Api-Version 2022-11-28',
    supportedUntil: '2028-03-10',
    source: 'https://docs.github.com/rest/about-the-rest-api/api-versions',
  },
  oauth: { parameters: ['login', 'allow_signup', 'prompt'], pkce: true },
  operations: {
    'GET /user/repos': {
      scopes,
      headers,
      query: strictObject({
        sort: z.enum(['created', 'updated', 'pushed', 'full_name']).optional(),
        ...page,
      }),
      response: z.array(
        z.object({
          full_name: withExample(z.string(), 'ann/website'),
          description: z.string().nullable(),
          private: z.boolean(),
          html_url: z.url(),
          updated_at: z.iso.datetime().nullable(),
          open_issues_count: z.number().int(),
        }),
      ),
    },
    'GET /issues': { scopes, headers, query: issuesQuery, response: z.array(issue) },
    'GET /repos/:owner/:name/issues': { scopes, headers, query: issuesQuery, response: z.array(issue) },
    'POST /repos/:owner/:name/issues': {
      scopes,
      headers,
      body: strictObject({ title: nonEmptyText, body: z.string().max(65_536).optional() }),
      response: issue,
    },
  },
  invalid: (message) =>
    json(422, {
      message: `Validation Failed: ${message}`,
      documentation_url: 'https://docs.github.com/rest',
    }),
  // a resource that the token must not see is not found
  forbidden: () =>
    json(404, { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' }),
  notFound: () =>
    json(404, { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' }),
}
