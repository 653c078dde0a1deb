import * as z from 'zod'
import { capability, type Capability } from './capability.ts'
import { cleanText, httpsLink } from '../platform/untrusted-text.ts'
import { limit, singleLine, longText, shortText } from './schemas.ts'

const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }
const repositoryName = z
  .string()
  .regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/)
  .describe('repository as owner/name')
const repositoryPath = (name: string) => `/repos/${name.split('/').map(encodeURIComponent).join('/')}`

const repositoryList = z.array(
  z.object({
    full_name: z.string(),
    description: z.string().nullable().default(null),
    private: z.boolean().default(false),
    html_url: z.string(),
    updated_at: z.string().nullable().default(null),
    open_issues_count: z.number().optional(),
  }),
)
const issue = z.object({
  number: z.number(),
  title: z.string(),
  state: z.string(),
  html_url: z.string(),
  user: z.object({ login: z.string() }).nullable().optional(),
  body: z.string().nullable().optional(),
  /** present if it is a pull request */
  pull_request: z.unknown().optional(),
  repository: z.object({ full_name: z.string() }).optional(),
})

export const github: readonly Capability[] = [
  capability({
    id: 'list_repositories',
    name: 'List repositories',
    description: 'Lists the repositories (repos) of the user on GitHub, the most recently updated first.',
    parameters: z.object({ limit: limit('repositories') }),
    examples: ['Show my GitHub repositories'],
    async run(api, { limit: maxRows }, signal) {
      const query = { sort: 'updated', per_page: maxRows }
      const rows = repositoryList.parse(await api.call('/user/repos', { query, headers }, signal))
      return {
        repositories: rows.map((row) => ({
          name: shortText(row.full_name),
          description: shortText(row.description),
          private: row.private,
          openIssues: row.open_issues_count,
          updated: row.updated_at,
          link: httpsLink(row.html_url),
        })),
        // there may be none if the last page is full: only GitHub's Link header says so
        more: rows.length === maxRows,
      }
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
    async run(api, { repository: name, state, limit: maxRows }, signal) {
      const path = name === undefined ? '/issues' : `${repositoryPath(name)}/issues`
      const query = { state, sort: 'updated', per_page: maxRows }
      const rows = z.array(issue).parse(await api.call(path, { query, headers }, signal))
      return {
        issues: rows.map((row) => ({
          number: row.number,
          title: shortText(row.title),
          kind: row.pull_request === undefined ? 'issue' : 'pull request',
          state: row.state,
          by: row.user?.login,
          repository: shortText(row.repository?.full_name ?? name),
          text: cleanText(row.body, 300),
          link: httpsLink(row.html_url),
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
    async run(api, { repository: name, title, body }, signal) {
      const request = { method: 'POST', json: { title, body }, headers } as const
      const created = issue.parse(await api.call(`${repositoryPath(name)}/issues`, request, signal))
      return {
        created: true,
        number: created.number,
        title: shortText(created.title),
        link: httpsLink(created.html_url),
      }
    },
  }),
]
