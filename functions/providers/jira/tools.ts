import * as z from 'zod'
import { atlassianCapability as capability, findAtlassianSite, quoteText, site } from '../atlassian.ts'
import type { ApiClient, Capability } from '../capability.ts'
import { httpsLink } from '../../platform/untrusted-text.ts'
import {
  limit,
  singleLine,
  longText,
  findByNameOrId,
  optionalField,
  shortText,
  searchTerm,
} from '../schemas.ts'

const apiPath = '/rest/api/3'
const name = z
  .object({ name: z.string() })
  .nullish()
  .transform((named) => shortText(named?.name))
const issue = z.object({
  key: z.string(),
  fields: z.object({
    summary: optionalField,
    status: name,
    priority: name,
    assignee: z
      .object({ displayName: z.string() })
      .nullish()
      .transform((person) => shortText(person?.displayName)),
    updated: z.string().nullish(),
  }),
})
const searchResponse = z.object({
  issues: z.array(issue).default([]),
  nextPageToken: z.string().nullish(),
})
const projects = z.object({
  values: z.array(z.object({ id: z.string(), key: z.string(), name: z.string() })),
  isLast: z.boolean().default(true),
})
const maxProjectPages = 10

/** Lists the projects of a site; the first 1,000 if there are more. */
async function listProjects(api: ApiClient, root: string) {
  const all: z.output<typeof projects>['values'] = []
  for (let page = 0; page < maxProjectPages; page += 1) {
    const query = { maxResults: 100, startAt: all.length }
    const { values, isLast } = await api.get(projects, `${root}${apiPath}/project/search`, query)
    all.push(...values)
    if (isLast || values.length === 0) break
  }
  return all
}

/** Converts text to Jira's document format. */
const toDocument = (text: string) => ({
  type: 'doc',
  version: 1,
  content: text
    .split(/\n+/)
    .filter((part) => part !== '')
    .map((part) => ({ type: 'paragraph', content: [{ type: 'text', text: part }] })),
})

const buildIssueLink = (url: string, key: string) => httpsLink(`${url}/browse/${encodeURIComponent(key)}`)

export const tools: readonly Capability[] = [
  capability({
    id: 'search_issues',
    name: 'Search issues',
    description:
      'Lists Jira issues (tickets) with certain words, or those that the user works on, the last updated first.',
    parameters: z.object({ query: searchTerm('the issues'), site, limit: limit('issues') }),
    examples: ['Which Jira issues are assigned to me?', 'Find the Jira ticket about the login'],
    async run(api, { query, site: siteName, limit: maxRows }) {
      const { url, root } = await findAtlassianSite(api, siteName)
      // Jira rejects a search without a condition
      const condition = query
        ? `text ~ ${quoteText(query)}`
        : '(assignee = currentUser() OR reporter = currentUser())'
      const response = await api.get(searchResponse, `${root}${apiPath}/search/jql`, {
        jql: `${condition} ORDER BY updated DESC`,
        fields: 'summary,status,priority,assignee,updated',
        maxResults: maxRows,
      })
      return {
        issues: response.issues.map(({ key, fields }) => ({
          key,
          ...fields,
          link: buildIssueLink(url, key),
        })),
        more: Boolean(response.nextPageToken),
      }
    },
  }),
  capability({
    id: 'create_issue',
    name: 'Create an issue',
    description: 'Creates an issue (ticket) in Jira.',
    parameters: z.object({
      summary: singleLine('title of the issue in one line'),
      text: longText('what it is about').default(''),
      project: singleLine('name or key of the project; not needed if there is only one').optional(),
      type: singleLine('type of the issue, such as Task, Bug or Story', 60).default('Task'),
      site,
    }),
    examples: ['Create a Jira ticket "Login fails on Safari"'],
    writes: true,
    async run(api, { summary, text, project: projectNameOrKey, type, site: siteName }) {
      const { url, root } = await findAtlassianSite(api, siteName)
      const all = await listProjects(api, root)
      const byKey = all.find(({ key }) => key.toLowerCase() === projectNameOrKey?.trim().toLowerCase())
      const { key: project, name: projectName } = byKey ?? findByNameOrId(all, projectNameOrKey, 'project')
      const fields = {
        project: { key: project },
        issuetype: { name: type },
        summary,
        ...(text !== '' && { description: toDocument(text) }),
      }
      const issueKey = z.object({ key: z.string() })
      const { key } = await api.post(issueKey, `${root}${apiPath}/issue`, { json: { fields } })
      return { created: true, key, summary, project: shortText(projectName), link: buildIssueLink(url, key) }
    },
  }),
]
