import {
  newNumericId,
  ok,
  paginate,
  record,
  type Double,
} from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'

export const double: Double = {
  rows: {
    tasks: [
      {
        gid: '1201',
        name: 'Prepare the workshop',
        notes: 'Slides and snacks',
        due_on: '2026-12-04',
        completed: false,
        permalink_url: 'https://app.asana.com/0/0/1201',
        projects: [{ name: 'Events' }],
      },
    ],
  },
  fixed: {
    'GET /workspaces': {
      data: [{ gid: '1', name: 'Example Ltd', resource_type: 'workspace' }],
      next_page: null,
    },
  },
  routes: {
    'GET /tasks': ({ query, rows }) => {
      const { page, next } = paginate(rows('tasks'), query.get('limit'), query.get('offset'))
      return ok({ data: page, next_page: next === undefined ? null : { offset: next } })
    },
    'POST /tasks': async ({ body, saveRow }) => {
      const { name, notes = '', due_on = null } = record(body['data'])
      const gid = newNumericId()
      const permalink_url = `https://app.asana.com/0/0/${gid}`
      const task = { gid, name, notes, due_on, completed: false, permalink_url, projects: [] }
      return json(201, { data: await saveRow('tasks', task) })
    },
  },
}
