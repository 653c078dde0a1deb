import { newId, ok, paginate, record, type Double } from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'

export const double: Double = {
  rows: {
    records: [
      {
        id: 'rec1',
        createdTime: '2026-11-01T10:00:00.000Z',
        fields: { Title: 'Write the brief', Status: 'Doing' },
      },
    ],
  },
  fixed: {
    'GET /meta/whoami': {
      id: 'usr1',
      scopes: ['data.records:read', 'data.records:write', 'schema.bases:read'],
    },
    'GET /meta/bases': { bases: [{ id: 'appAAAAAAAAAAAAA1', name: 'Projects', permissionLevel: 'create' }] },
    'GET /meta/bases/appAAAAAAAAAAAAA1/tables': {
      tables: [
        {
          id: 'tblAAAAAAAAAAAAA1',
          name: 'Tasks',
          primaryFieldId: 'fld1',
          fields: [
            { id: 'fld1', name: 'Title', type: 'singleLineText' },
            { id: 'fld2', name: 'Status', type: 'singleSelect' },
          ],
        },
      ],
    },
  },
  routes: {
    'GET /:base/:table': ({ query, rows }) => {
      const { page, next } = paginate(rows('records'), query.get('pageSize') ?? 100, query.get('offset'))
      return ok({ records: page, ...(next !== undefined && { offset: next }) })
    },
    'POST /:base/:table': async ({ body, saveRow }) => {
      const fields = record(body['fields'])
      const unknown = Object.keys(fields).find((name) => !['Title', 'Status'].includes(name))
      if (unknown !== undefined)
        return json(422, {
          error: { type: 'UNKNOWN_FIELD_NAME', message: `Unknown field name: "${unknown}"` },
        })
      const createdTime = new Date().toISOString()
      return ok(await saveRow('records', { id: `rec${newId()}`, createdTime, fields }))
    },
  },
}
