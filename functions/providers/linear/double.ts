import {
  graphqlError,
  invalidToken,
  mentions,
  ok,
  paginate,
  record,
  text,
  type Double,
} from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'

export const double: Double = {
  rows: {
    issues: [
      {
        identifier: 'ENG-1',
        title: 'Dark mode flickers',
        url: 'https://linear.app/example/issue/ENG-1',
        updatedAt: '2026-11-17T10:00:00.000Z',
        state: { name: 'In Progress' },
        assignee: { displayName: 'ann' },
      },
    ],
  },
  routes: {
    'POST ': async ({ body, rows, saveRow }) => {
      const query = text(body['query'])
      const { input, filter, first } = record(body['variables'])
      if (query.includes('teams('))
        return ok({ data: { teams: { nodes: [{ id: 't-1', name: 'Engineering', key: 'ENG' }] } } })
      if (!query.includes('issueCreate(')) {
        const words = text(record(record(filter)['title'])['containsIgnoreCase'])
        const found = rows('issues').filter(({ title }) => mentions(title, words))
        const { page, next } = paginate(found.toReversed(), first)
        return ok({ data: { issues: { nodes: page, pageInfo: { hasNextPage: next !== undefined } } } })
      }
      const { teamId, title } = record(input)
      if (teamId !== 't-1') return json(400, graphqlError('Argument Validation Error', 'INVALID_INPUT'))
      const identifier = `ENG-${rows('issues').length + 1}`
      const issue = await saveRow('issues', {
        identifier,
        title,
        url: `https://linear.app/example/issue/${identifier}`,
        updatedAt: new Date().toISOString(),
        state: { name: 'Backlog' },
        assignee: null,
      })
      return ok({ data: { issueCreate: { success: true, issue } } })
    },
  },
  unauthorized: invalidToken({
    errors: [{ message: 'Authentication required', extensions: { code: 'AUTHENTICATION_ERROR' } }],
  }),
}
