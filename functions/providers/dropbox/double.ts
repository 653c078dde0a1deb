import {
  invalidToken,
  mentions,
  newId,
  ok,
  paginate,
  text,
  type Double,
} from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'

export const double: Double = {
  rows: {
    files: [
      { '.tag': 'folder', id: 'id:1', name: 'Reports', path_display: '/Reports' },
      {
        '.tag': 'file',
        id: 'id:2',
        name: 'packing-list.txt',
        path_display: '/packing-list.txt',
        size: 120,
        server_modified: '2026-11-01T10:00:00Z',
      },
    ],
  },
  routes: {
    'POST /files/list_folder': ({ body: { path, limit = 500 }, rows }) => {
      const all = rows('files')
      if (path !== '' && !all.some((one) => one['path_display'] === path))
        return json(409, {
          error_summary: 'path/not_found/..',
          error: { '.tag': 'path', path: { '.tag': 'not_found' } },
        })
      const inside = all.filter((file) => text(file['path_display']).replace(/\/[^/]+$/, '') === path)
      const { page, next } = paginate(inside, limit)
      return ok({ entries: page, cursor: 'c', has_more: next !== undefined })
    },
    'POST /files/search_v2': ({ body, rows }) => {
      const found = rows('files').filter(({ name }) => mentions(name, text(body['query'])))
      const matches = found.map((metadata) => ({ metadata: { '.tag': 'metadata', metadata } }))
      return ok({ matches, has_more: false })
    },
    'POST /content/files/upload': async ({ headers, rawBody, rows, saveRow }) => {
      const { path, autorename } = JSON.parse(headers['dropbox-api-arg'] ?? '{}') as {
        path: string
        autorename?: boolean
      }
      const isTaken = rows('files').some((one) => one['path_display'] === path)
      if (isTaken && !autorename) return json(409, { error_summary: 'path/conflict/file/..' })
      const path_display = isTaken ? path.replace(/(\.\w+)?$/, ' (1)$1') : path
      const file = {
        id: `id:${newId()}`,
        name: path_display.split('/').at(-1),
        path_display,
        size: Buffer.byteLength(rawBody),
        server_modified: new Date().toISOString().replace(/\.\d+/, ''),
      }
      await saveRow('files', { '.tag': 'file', ...file })
      return ok(file)
    },
  },
  unauthorized: invalidToken({
    error_summary: 'expired_access_token/',
    error: { '.tag': 'expired_access_token' },
  }),
}
