import * as z from 'zod'
import { capabilityWith, type Capability } from '../capability.ts'
import { cleanText } from '../../platform/untrusted-text.ts'
import { limit, linkField, optionalField, shortField, shortText, singleLine, longText } from '../schemas.ts'

const capability = capabilityWith({
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
})
const repositoryName = z
  .string()
  .regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/)
  .describe('repository as owner/name')
const repositoryPath = (name: string) => `/repos/${name.split('/').map(encodeURIComponent).join('/')}`

const repository = z
  .object({
    full_name: shortField,
    description: optionalField,
    private: z.boolean().default(false),
    html_url: linkField,
    updated_at: z.string().nullable().default(null),
    open_issues_count: z.number().optional(),
  })
  .transform((row) => ({
    name: row.full_name,
    description: row.description,
    private: row.private,
    openIssues: row.open_issues_count,
    updated: row.updated_at,
    link: row.html_url,
  }))
const issue = z.object({
  number: z.number(),
  title: shortField,
  state: z.string(),
  html_url: linkField,
  user: z.object({ login: z.string() }).nullable().optional(),
  body: z.string().nullable().optional(),
  /** present if it is a pull request */
  pull_request: z.unknown().optional(),
  repository: z.object({ full_name: z.string() }).optional(),
})

export const tools: readonly Capability[] = [
  capability({
    id: 'list_repositories',
    name: 'List repositories',
    description: 'Lists the repositories (repos) of the user on GitHub, the most recently updated first.',
    parameters: z.object({ limit: limit('repositories') }),
    examples: ['Show my GitHub repositories'],
    async run(api, { limit: maxRows }) {
      const query = { sort: 'updated', per_page: maxRows }
      const repositories = await api.get(z.array(repository), '/user/repos', query)
      // there may be none if the last page is full: only GitHub's Link header says so
      return { repositories, more: repositories.length === maxRows }
    },
  }),
  capability({
    id: 'list_issues',
    name: 'List issues',
    description:
      'Lists GitHub issues and pull requests of a repository, or those that are assigned to the user.',
    parameters: z.object({
      repository: repositoryName.optional(),
      state: z.enum(['open', 'closed', 'all']).default('open').describe('state of the issues'),
      limit: limit('issues'),
    }),
    examples: ['Which GitHub issues are assigned to me?', 'Open issues of acme/website?'],
    async run(api, { repository: name, state, limit: maxRows }) {
      const path = name === undefined ? '/issues' : `${repositoryPath(name)}/issues`
      const query = { state, sort: 'updated', per_page: maxRows }
      const rows = await api.get(z.array(issue), path, query)
      return {
        issues: rows.map((row) => ({
          number: row.number,
          title: row.title,
          kind: row.pull_request === undefined ? 'issue' : 'pull request',
          state: row.state,
          by: row.user?.login,
          repository: shortText(row.repository?.full_name ?? name),
          text: cleanText(row.body, 300),
          link: row.html_url,
        })),
        // there may be none if the last page is full: only GitHub's Link header says so
        more: rows.length === maxRows,
      }
    },
  }),
  capability({
    id: 'create_issue',
    name: 'Create an issue',
    description: 'Creates (opens) an issue in a repository on GitHub.',
    parameters: z.object({
      repository: repositoryName,
      title: singleLine('title of the issue'),
      body: longText('text of the issue in Markdown', 60_000).default(''),
    }),
    examples: ['Open a GitHub issue in acme/website about the broken link'],
    writes: true,
    async run(api, { repository: name, ...json }) {
      const created = await api.post(issue, `${repositoryPath(name)}/issues`, { json })
      return { created: true, number: created.number, title: created.title, link: created.html_url }
    },
  }),
]
