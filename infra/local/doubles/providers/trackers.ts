import { json } from './http.ts'
import { type Routes, mentions, newNumericId, paginate, record, text } from './calls.ts'
import type { Row } from './store.ts'

const linearIssues: Row[] = [
  {
    identifier: 'ENG-1',
    title: 'Dark mode flickers',
    url: 'https://linear.app/example/issue/ENG-1',
    updatedAt: '2026-11-17T10:00:00.000Z',
    state: { name: 'In Progress' },
    assignee: { displayName: 'ann' },
  },
]
const linear: Routes = {
  'POST ': async ({ body, rows, saveRow }) => {
    const query = text(body['query'])
    const variables = record(body['variables'])
    if (query.includes('teams('))
      return json(200, { data: { teams: { nodes: [{ id: 't-1', name: 'Engineering', key: 'ENG' }] } } })
    if (query.includes('issueCreate(')) {
      const input = record(variables['input'])
      if (input['teamId'] !== 't-1')
        return json(400, {
          errors: [{ message: 'Argument Validation Error', extensions: { code: 'INVALID_INPUT' } }],
        })
      const identifier = `ENG-${rows('issues', linearIssues).length + 1}`
      const issue = await saveRow('issues', {
        identifier,
        title: input['title'],
        url: `https://linear.app/example/issue/${identifier}`,
        updatedAt: new Date().toISOString(),
        state: { name: 'Backlog' },
        assignee: null,
      })
      return json(200, { data: { issueCreate: { success: true, issue } } })
    }
    if (!query.includes('issues('))
      return json(400, {
        errors: [{ message: 'Cannot query field', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
      })
    const words = text(record(record(variables['filter'])['title'])['containsIgnoreCase'])
    const found = rows('issues', linearIssues)
      .filter(({ title }) => mentions(title, words))
      .toReversed()
    const { page, next } = paginate(found, { limit: Number(variables['first']) })
    return json(200, { data: { issues: { nodes: page, pageInfo: { hasNextPage: next !== undefined } } } })
  },
}

const cloudId = '9d1f6a52-0000-4000-8000-1c1c1c1c1c1c'
const site = (scopes: string[]): Routes => ({
  'GET /account/accessible-resources': () =>
    json(200, [{ id: cloudId, name: 'example', url: 'https://example.atlassian.net', scopes }]),
})
const issues: Row[] = [
  {
    key: 'WEB-1',
    fields: {
      summary: 'Login fails on Safari',
      status: { name: 'To Do' },
      priority: { name: 'High' },
      assignee: { displayName: 'Ann Lee' },
      updated: '2026-11-19T08:00:00.000+0000',
    },
  },
]
/** The words between quotes of a condition with `~`. */
const parseSearchWords = (query: string) =>
  (/~ "((?:[^"\\]|\\.)*)"/.exec(query)?.[1] ?? '').replace(/\\(.)/g, '$1')

const jira: Routes = {
  ...site(['read:jira-work', 'write:jira-work']),
  [`GET /${cloudId}/rest/api/3/search/jql`]: ({ query, rows }) => {
    const jql = query.get('jql') ?? ''
    if (/^\s*(?:order by|$)/i.test(jql))
      return json(400, {
        errorMessages: [
          'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.',
        ],
        errors: {},
      })
    const found = rows('issues', issues)
      .filter((issue) => mentions(issue, parseSearchWords(jql)))
      .toReversed()
    const { page, next } = paginate(found, {
      limit: query.get('maxResults'),
      start: Number(query.get('nextPageToken') ?? 0),
    })
    return json(200, {
      issues: page,
      isLast: next === undefined,
      ...(next !== undefined && { nextPageToken: String(next) }),
    })
  },
  [`GET /${cloudId}/rest/api/3/project/search`]: () =>
    json(200, { values: [{ id: '10000', key: 'WEB', name: 'Website' }], isLast: true, total: 1 }),
  [`POST /${cloudId}/rest/api/3/issue`]: async ({ body, rows, saveRow }) => {
    const { project, summary, issuetype, description } = record(body['fields'])
    if (record(project)['key'] !== 'WEB')
      return json(400, { errorMessages: [], errors: { project: 'valid project is required' } })
    if (text(summary) === '' || text(record(issuetype)['name']) === '')
      return json(400, { errorMessages: [], errors: { summary: 'You must specify a summary of the issue.' } })
    if (typeof description === 'string')
      return json(400, {
        errorMessages: [],
        errors: {
          description: 'Operation value must be an Atlassian Document (see the Atlassian Document Format)',
        },
      })
    const key = `WEB-${rows('issues', issues).length + 1}`
    await saveRow('issues', {
      key,
      fields: {
        summary,
        description,
        status: { name: 'To Do' },
        priority: { name: 'Medium' },
        assignee: null,
        updated: new Date().toISOString(),
      },
    })
    return json(201, {
      id: newNumericId(),
      key,
      self: `https://api.atlassian.com/ex/jira/${cloudId}/rest/api/3/issue/${key}`,
    })
  },
}

const wiki: Row[] = [
  {
    content: { id: '98765', type: 'page' },
    title: 'Onboarding',
    excerpt: 'Welcome! Your first @@@hl@@@week@@@endhl@@@ &amp; more',
    url: '/spaces/HR/pages/98765/Onboarding',
    lastModified: '2026-11-12T09:00:00.000Z',
    resultGlobalContainer: { title: 'People' },
  },
]
const confluence: Routes = {
  ...site(['search:confluence', 'read:page:confluence']),
  [`GET /${cloudId}/wiki/rest/api/search`]: ({ query }) => {
    const found = wiki.filter((page) => mentions(page, parseSearchWords(query.get('cql') ?? '')))
    const { page } = paginate(found, { limit: query.get('limit') })
    return json(200, {
      results: page,
      start: 0,
      limit: Number(query.get('limit')),
      size: page.length,
      totalSize: found.length,
    })
  },
  // removed for OAuth (https://github.com/sooperset/mcp-atlassian/issues/1598)
  [`GET /${cloudId}/wiki/rest/api/content/:id`]: () =>
    json(410, { message: 'This deprecated endpoint has been removed.' }),
  [`GET /${cloudId}/wiki/api/v2/pages/:id`]: ({ pathParams: [id] }) =>
    id === '98765'
      ? json(200, {
          id,
          status: 'current',
          title: 'Onboarding',
          body: {
            storage: { value: '<p>Welcome!</p><p>Your first week &amp; more</p>', representation: 'storage' },
          },
        })
      : json(404, { errors: [{ status: 404, code: 'NOT_FOUND', title: 'Not Found', detail: null }] }),
}

const repository = {
  full_name: 'ann/website',
  description: 'The website',
  private: true,
  html_url: 'https://github.com/ann/website',
  updated_at: '2026-11-18T09:00:00Z',
  open_issues_count: 1,
}
const gitIssues: Row[] = [
  {
    number: 1,
    title: 'Broken link in the footer',
    state: 'open',
    html_url: 'https://github.com/ann/website/issues/1',
    user: { login: 'ann' },
    body: 'It points nowhere.',
    repository,
  },
]
const repositoryName = 'ann/website'
const github: Routes = {
  'GET /user/repos': ({ query }) => json(200, paginate([repository], { limit: query.get('per_page') }).page),
  'GET /issues': ({ query, rows }) =>
    json(200, paginate(rows('issues', gitIssues).toReversed(), { limit: query.get('per_page') }).page),
  'GET /repos/:owner/:name/issues': ({ pathParams, query, rows }) =>
    pathParams.join('/') === repositoryName
      ? json(200, paginate(rows('issues', gitIssues).toReversed(), { limit: query.get('per_page') }).page)
      : json(404, { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' }),
  'POST /repos/:owner/:name/issues': async ({ pathParams, body, rows, saveRow }) => {
    if (pathParams.join('/') !== repositoryName) return json(404, { message: 'Not Found' })
    if (text(body['title']) === '')
      return json(422, { message: 'Validation Failed', errors: [{ field: 'title', code: 'missing_field' }] })
    const number = rows('issues', gitIssues).length + 1
    return json(
      201,
      await saveRow('issues', {
        number,
        title: body['title'],
        state: 'open',
        html_url: `https://github.com/ann/website/issues/${number}`,
        user: { login: 'you' },
        body: body['body'],
        repository,
      }),
    )
  },
}

/** Providers for software teams: issues, pages, code. */
export const trackerRoutes: Readonly<Record<string, Routes>> = { linear, jira, confluence, github }
