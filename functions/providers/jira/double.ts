import {
  mentions,
  newNumericId,
  ok,
  paginate,
  record,
  type Double,
} from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import { cloudId, parseSearchWords } from '../../../infra/local/doubles/providers/atlassian.ts'

export const double: Double = {
  rows: {
    issues: [
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
    ],
  },
  fixed: {
    'GET /account/accessible-resources': [
      {
        id: '9d1f6a52-0000-4000-8000-1c1c1c1c1c1c',
        name: 'example',
        url: 'https://example.atlassian.net',
        scopes: ['read:jira-work', 'write:jira-work'],
      },
    ],
    'GET /9d1f6a52-0000-4000-8000-1c1c1c1c1c1c/rest/api/3/project/search': {
      values: [{ id: '10000', key: 'WEB', name: 'Website' }],
      isLast: true,
      total: 1,
    },
  },
  routes: {
    [`GET /${cloudId}/rest/api/3/search/jql`]: ({ query, rows }) => {
      const jql = query.get('jql') ?? ''
      if (/^\s*(?:order by|$)/i.test(jql))
        return json(400, { errorMessages: ['Unbounded JQL queries are not allowed here.'], errors: {} })
      const found = rows('issues').filter((issue) => mentions(issue, parseSearchWords(jql)))
      const { page, next } = paginate(found.toReversed(), query.get('maxResults'), query.get('nextPageToken'))
      return ok({
        issues: page,
        isLast: next === undefined,
        ...(next !== undefined && { nextPageToken: next }),
      })
    },
    [`POST /${cloudId}/rest/api/3/issue`]: async ({ body, rows, saveRow }) => {
      const { project, summary, description } = record(body['fields'])
      if (record(project)['key'] !== 'WEB')
        return json(400, { errorMessages: [], errors: { project: 'valid project is required' } })
      const key = `WEB-${rows('issues').length + 1}`
      const updated = new Date().toISOString()
      const fields = { summary, description, status: { name: 'To Do' }, priority: { name: 'Medium' } }
      await saveRow('issues', { key, fields: { ...fields, assignee: null, updated } })
      const self = `https://api.atlassian.com/ex/jira/${cloudId}/rest/api/3/issue/${key}`
      return json(201, { id: newNumericId(), key, self })
    },
  },
}
