import { mentions, ok, paginate, type Double } from '../../../infra/local/doubles/providers/double.ts'
import { cloudId, parseSearchWords } from '../../../infra/local/doubles/providers/atlassian.ts'

export const double: Double = {
  rows: {
    pages: [
      {
        content: { id: '98765', type: 'page' },
        title: 'Onboarding',
        excerpt: 'Welcome! Your first @@@hl@@@week@@@endhl@@@ &amp; more',
        url: '/spaces/HR/pages/98765/Onboarding',
        lastModified: '2026-11-12T09:00:00.000Z',
        resultGlobalContainer: { title: 'People' },
      },
    ],
  },
  fixed: {
    'GET /account/accessible-resources': [
      {
        id: '9d1f6a52-0000-4000-8000-1c1c1c1c1c1c',
        name: 'example',
        url: 'https://example.atlassian.net',
        scopes: ['search:confluence', 'read:page:confluence'],
      },
    ],
    'GET /9d1f6a52-0000-4000-8000-1c1c1c1c1c1c/wiki/api/v2/pages/98765': {
      id: '98765',
      status: 'current',
      title: 'Onboarding',
      body: {
        storage: { value: '<p>Welcome!</p><p>Your first week &amp; more</p>', representation: 'storage' },
      },
    },
  },
  routes: {
    [`GET /${cloudId}/wiki/rest/api/search`]: ({ query, rows }) => {
      const found = rows('pages').filter((page) => mentions(page, parseSearchWords(query.get('cql'))))
      const { page } = paginate(found, query.get('limit'))
      const limit = Number(query.get('limit'))
      return ok({ results: page, start: 0, limit, size: page.length, totalSize: found.length })
    },
  },
}
