import type { Double } from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'

export const double: Double = {
  fixed: {
    'GET /files/AbCdEf1234567890': {
      name: 'Home page',
      lastModified: '2026-11-15T10:00:00Z',
      version: '1',
      document: {
        id: '0:0',
        type: 'DOCUMENT',
        children: [
          { id: '0:1', name: 'Cover', type: 'CANVAS' },
          { id: '2:7', name: 'Hero', type: 'CANVAS' },
        ],
      },
    },
    'GET /files/AbCdEf1234567890/comments': {
      comments: [
        {
          id: '9',
          message: 'More air around the logo',
          user: { handle: 'Ann' },
          created_at: '2026-11-16T09:00:00Z',
          resolved_at: null,
        },
      ],
    },
  },
  routes: {
    'GET /files/:key': () => json(404, { status: 404, err: 'Not found' }),
    'GET /files/:key/comments': () => json(404, { status: 404, err: 'Not found' }),
  },
}
