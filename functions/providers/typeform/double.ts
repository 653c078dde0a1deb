import { mentions, ok, type Double } from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'

export const double: Double = {
  rows: {
    forms: [
      {
        id: 'u6nXL7',
        title: 'Customer survey',
        last_updated_at: '2026-11-10T09:00:00Z',
        _links: { display: 'https://example.typeform.com/to/u6nXL7' },
      },
    ],
  },
  fixed: {
    'GET /forms/u6nXL7': {
      id: 'u6nXL7',
      title: 'Customer survey',
      last_updated_at: '2026-11-10T09:00:00Z',
      _links: { display: 'https://example.typeform.com/to/u6nXL7' },
      fields: [
        { id: 'f1', title: 'How was it?', type: 'short_text' },
        { id: 'f2', title: 'Would you come again?', type: 'yes_no' },
      ],
    },
    'GET /forms/:id/responses': {
      total_items: 1,
      page_count: 1,
      items: [
        {
          token: 'r1',
          submitted_at: '2026-11-18T10:00:00Z',
          answers: [
            { type: 'text', text: 'Lovely, thank you', field: { id: 'f1' } },
            { type: 'boolean', boolean: true, field: { id: 'f2' } },
          ],
        },
      ],
    },
  },
  routes: {
    'GET /forms': ({ query, rows }) => {
      const items = rows('forms').filter((one) => mentions(one, query.get('search') ?? ''))
      return ok({ total_items: items.length, page_count: 1, items })
    },
    'GET /forms/:id': () => json(404, { code: 'FORM_NOT_FOUND', description: 'form not found' }),
  },
}
