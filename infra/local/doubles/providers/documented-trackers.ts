import * as z from 'zod'
import { count, graphql, strict, text, type DocumentedRequests } from './documented-forms.ts'

const cloud = '/:cloud'
const jiraText = strict({
  type: z.literal('doc'),
  version: z.literal(1),
  content: z.array(
    strict({
      type: z.literal('paragraph'),
      content: z.array(strict({ type: z.literal('text'), text })),
    }),
  ),
})
const linearWords =
  'query mutation Issues Teams IssueCreate first filter orderBy updatedAt issues teams nodes pageInfo hasNextPage id name key input IssueFilter IssueCreateInput Int issueCreate success issue identifier title url state assignee displayName'

const trackers: DocumentedRequests = {
  // https://developer.atlassian.com/cloud/jira/platform/rest/v3/
  jira: {
    'GET /account/accessible-resources': {},
    [`GET ${cloud}/rest/api/3/search/jql`]: {
      query: strict({
        jql: text,
        fields: text.optional(),
        maxResults: count(5_000),
        nextPageToken: text.optional(),
      }),
    },
    [`GET ${cloud}/rest/api/3/project/search`]: {
      query: strict({ maxResults: count(100), startAt: z.coerce.number().int().min(0).optional() }),
    },
    [`POST ${cloud}/rest/api/3/issue`]: {
      body: strict({
        fields: strict({
          project: strict({ key: text }),
          issuetype: strict({ name: text }),
          summary: text.max(255),
          description: jiraText.optional(),
        }),
      }),
    },
  },
  // https://developer.atlassian.com/cloud/confluence/rest/v1/ and v2/
  confluence: {
    'GET /account/accessible-resources': {},
    [`GET ${cloud}/wiki/rest/api/search`]: {
      query: strict({ cql: text, limit: count(250), cursor: text.optional() }),
    },
    [`GET ${cloud}/wiki/api/v2/pages/:id`]: {
      query: strict({ 'body-format': z.enum(['storage', 'atlas_doc_format', 'view']).optional() }),
    },
  },
  // https://linear.app/developers/graphql
  linear: {
    'POST ': {
      body: graphql(
        linearWords,
        z.union([
          strict({
            first: z.number().int().min(1).max(250),
            filter: strict({ title: strict({ containsIgnoreCase: text }) }).optional(),
          }),
          strict({ input: strict({ teamId: text, title: text, description: z.string().optional() }) }),
        ]),
      ),
    },
  },
}

/** Issues, code and wikis. */
export const trackersRequests: DocumentedRequests = { ...trackers }
