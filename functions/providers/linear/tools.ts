import * as z from 'zod'
import { capability, type Capability } from '../capability.ts'
import {
  findByNameOrId,
  limit,
  linkField,
  longText,
  searchTerm,
  shortField,
  shortText,
  singleLine,
} from '../schemas.ts'

const issue = z
  .object({
    identifier: shortField,
    title: shortField,
    url: linkField,
    updatedAt: z.string().optional(),
    state: z.object({ name: shortField }).nullish(),
    assignee: z.object({ displayName: shortField }).nullish(),
  })
  .transform(({ identifier, title, url, updatedAt, state, assignee }) => ({
    key: identifier,
    title,
    state: state?.name ?? '',
    assignee: assignee?.displayName ?? '',
    updated: updatedAt,
    link: url,
  }))
const issuesResponse = z.object({
  issues: z.object({ nodes: z.array(issue), pageInfo: z.object({ hasNextPage: z.boolean() }) }),
})
const team = z.object({ id: z.string(), name: z.string(), key: z.string() })
const teamsResponse = z.object({ teams: z.object({ nodes: z.array(team) }) })
const createResponse = z.object({
  issueCreate: z.object({ success: z.literal(true), issue: issue.nullish() }),
})

const fields = 'identifier title url updatedAt state { name } assignee { displayName }'
const issuesQuery = `query Issues($first: Int!, $filter: IssueFilter) {
  issues(first: $first, filter: $filter, orderBy: updatedAt) { nodes { ${fields} } pageInfo { hasNextPage } }
}`
const teamsQuery = 'query Teams($first: Int!) { teams(first: $first) { nodes { id name key } } }'
const createQuery = `mutation IssueCreate($input: IssueCreateInput!) {
  issueCreate(input: $input) { success issue { ${fields} } }
}`

export const tools: readonly Capability[] = [
  capability({
    id: 'list_issues',
    name: 'List issues',
    description:
      'Lists the issues of Linear, the last updated first, or those with certain words in the title.',
    parameters: z.object({ query: searchTerm('the titles'), limit: limit('issues') }),
    examples: ['Which issues are there in Linear?'],
    async run(api, { query, limit: first }) {
      const filter = query ? { title: { containsIgnoreCase: query } } : undefined
      const search = { query: issuesQuery, variables: { first, filter }, reads: true }
      const { issues } = await api.graphql(issuesResponse, search)
      return { issues: issues.nodes, more: issues.pageInfo.hasNextPage }
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
    async run(api, { title, text, team: nameOrId }) {
      const listTeams = { query: teamsQuery, variables: { first: 250 }, reads: true }
      const { nodes } = (await api.graphql(teamsResponse, listTeams)).teams
      const byKey = nodes.find(({ key }) => key.toLowerCase() === nameOrId?.trim().toLowerCase())
      const { id, name } = byKey ?? findByNameOrId(nodes, nameOrId, 'team')
      const variables = { input: { teamId: id, title, description: text } }
      const { issueCreate } = await api.graphql(createResponse, {
        query: createQuery,
        variables,
        reads: false,
      })
      return { created: true, team: shortText(name), issue: issueCreate.issue ?? undefined }
    },
  }),
]
