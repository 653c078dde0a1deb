import * as z from 'zod'
import { capability, type Capability } from './capability.ts'
import { httpsLink } from '../platform/untrusted-text.ts'
import { graphql, limit, singleLine, longText, findByNameOrId, shortText, searchTerm } from './schemas.ts'

const issue = z.object({
  identifier: z.string(),
  title: z.string(),
  url: z.string(),
  updatedAt: z.string().optional(),
  state: z.object({ name: z.string() }).nullable().optional(),
  assignee: z.object({ displayName: z.string() }).nullable().optional(),
})
const formatIssue = ({ identifier, title, url, updatedAt, state, assignee }: z.output<typeof issue>) => ({
  key: shortText(identifier),
  title: shortText(title),
  state: shortText(state?.name),
  assignee: shortText(assignee?.displayName),
  updated: updatedAt,
  link: httpsLink(url),
})

const fields = 'identifier title url updatedAt state { name } assignee { displayName }'
const issuesQuery = `query Issues($first: Int!, $filter: IssueFilter) {
  issues(first: $first, filter: $filter, orderBy: updatedAt) { nodes { ${fields} } pageInfo { hasNextPage } }
}`
const teamsQuery = 'query Teams($first: Int!) { teams(first: $first) { nodes { id name key } } }'
const createQuery = `mutation IssueCreate($input: IssueCreateInput!) {
  issueCreate(input: $input) { success issue { ${fields} } }
}`

export const linear: readonly Capability[] = [
  capability({
    id: 'list_issues',
    name: 'List issues',
    description:
      'Lists the issues of Linear, the last updated first, or those with certain words in the title.',
    parameters: z.object({ query: searchTerm('the titles'), limit: limit('issues') }),
    examples: ['Which issues are there in Linear?'],
    async run(api, { query, limit: first }, signal) {
      const filter = query ? { title: { containsIgnoreCase: query } } : undefined
      const data = await graphql(
        api,
        { query: issuesQuery, variables: { first, filter }, reads: true },
        signal,
      )
      const { issues } = z
        .object({
          issues: z.object({ nodes: z.array(issue), pageInfo: z.object({ hasNextPage: z.boolean() }) }),
        })
        .parse(data)
      return { issues: issues.nodes.map(formatIssue), more: issues.pageInfo.hasNextPage }
    },
  }),
  capability({
    id: 'create_issue',
    name: 'Create an issue',
    description: 'Creates an issue in Linear.',
    parameters: z.object({
      title: singleLine('title of the issue'),
      text: longText('what it is about, in Markdown').default(''),
      team: singleLine('name or key of the team; not needed if there is only one').optional(),
    }),
    examples: ['Create a Linear issue "Dark mode flickers"'],
    writes: true,
    async run(api, { title, text, team: nameOrId }, signal) {
      const listed = await graphql(api, { query: teamsQuery, variables: { first: 250 }, reads: true }, signal)
      const { teams } = z
        .object({
          teams: z.object({
            nodes: z.array(z.object({ id: z.string(), name: z.string(), key: z.string() })),
          }),
        })
        .parse(listed)
      const byKey = teams.nodes.find(({ key }) => key.toLowerCase() === nameOrId?.trim().toLowerCase())
      const team = byKey ?? findByNameOrId(teams.nodes, nameOrId, 'team')
      const variables = { input: { teamId: team.id, title, description: text } }
      const data = await graphql(api, { query: createQuery, variables, reads: false }, signal)
      const { issueCreate } = z
        .object({ issueCreate: z.object({ success: z.literal(true), issue: issue.nullish() }) })
        .parse(data)
      const { issue: created } = issueCreate
      return { created: true, team: shortText(team.name), ...(created && { issue: formatIssue(created) }) }
    },
  }),
]
