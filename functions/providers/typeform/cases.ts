import { type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const formResponses = {
  form: 'Customer survey',
  responses: [
    {
      submitted: '2026-11-18T10:00:00Z',
      answers: 'How was it?: Lovely, thank you\nWould you come again?: true',
      id: 'r1',
    },
  ],
  more: false,
}

const forms = {
  forms: [
    {
      title: 'Customer survey',
      updated: '2026-11-10T09:00:00Z',
      link: 'https://example.typeform.com/to/u6nXL7',
      id: 'u6nXL7',
    },
  ],
  more: false,
}

export const cases: ProviderCases = {
  roundTrips: {
    list_forms: { finds: 'Customer survey' },
    list_responses: { input: { form: 'customer survey' }, finds: 'How was it?: Lovely, thank you' },
  },
  requests: [
    {
      tool: 'list_forms',
      input: {},
      requests: [{ endpoint: 'GET /forms', query: { page_size: '20' } }],
      result: forms,
    },
    {
      tool: 'list_forms',
      input: { query: 'survey', limit: 1 },
      requests: [{ endpoint: 'GET /forms', query: { page_size: '1', search: 'survey' } }],
      result: forms,
    },
    {
      tool: 'list_responses',
      input: {},
      requests: [
        { endpoint: 'GET /forms', query: { page_size: '200' } },
        { endpoint: 'GET /forms/u6nXL7' },
        { endpoint: 'GET /forms/u6nXL7/responses', query: { page_size: '20' } },
      ],
      result: formResponses,
    },
    {
      tool: 'list_responses',
      input: { form: 'customer survey', limit: 1 },
      requests: [
        { endpoint: 'GET /forms', query: { page_size: '200' } },
        { endpoint: 'GET /forms/u6nXL7' },
        { endpoint: 'GET /forms/u6nXL7/responses', query: { page_size: '1' } },
      ],
      result: formResponses,
    },
  ],
  responses: [
    {
      tool: 'list_responses',
      case: 'a question in a group, and free answers in addition to choices',
      responses: [
        [
          '/u6nXL7',
          {
            fields: [
              {
                id: 'g1',
                title: 'About you',
                type: 'group',
                properties: { fields: [{ id: 'f3', title: 'Colour' }] },
              },
              { id: 'f1', title: 'How was it?' },
            ],
          },
        ],
        [
          '/responses',
          {
            total_items: 1,
            items: [
              {
                token: '1',
                answers: [
                  { type: 'choice', choice: { other: 'teal' }, field: { id: 'f3' } },
                  { type: 'choices', choices: { labels: ['Good'], other: 'and loud' }, field: { id: 'f1' } },
                  { type: 'choices', choices: { other: 'loud' }, field: { id: 'f1' } },
                ],
              },
            ],
          },
        ],
      ],
      result: {
        form: 'Customer survey',
        responses: [{ answers: 'Colour: teal\nHow was it?: Good, and loud\nHow was it?: loud', id: '1' }],
        more: false,
      },
    },
    {
      tool: 'list_forms',
      case: 'a form with a title alone, and more of them',
      responses: [
        [
          '/forms',
          {
            total_items: 3,
            items: [
              { id: '1', title: 'A' },
              { id: '2', title: 'B', _links: {} },
            ],
          },
        ],
      ],
      result: {
        forms: [
          { title: 'A', id: '1' },
          { title: 'B', id: '2' },
        ],
        more: true,
      },
    },
    {
      tool: 'list_responses',
      case: 'answers of all types, also to deleted questions, and more of them',
      responses: [
        [
          '/responses',
          {
            total_items: 9,
            items: [
              { token: '1' },
              { token: '2', submitted_at: '2026-11-01T00:00:00Z', answers: null },
              {
                token: '3',
                answers: [
                  { type: 'choice', choice: { label: 'Yes' }, field: { id: 'f1' } },
                  { type: 'choices', choices: { labels: ['A', 'B'] }, field: { id: 'f2' } },
                  { type: 'number', number: 4, field: { id: 'f9' } },
                  { type: 'payment', field: { id: 'f9' } },
                  { type: 'file_url', file_url: 'x'.repeat(400), field: { id: 'f1' } },
                ],
              },
            ],
          },
        ],
      ],
      result: {
        form: 'Customer survey',
        responses: [
          { answers: '', id: '1' },
          { submitted: '2026-11-01T00:00:00Z', answers: '', id: '2' },
          {
            answers:
              'How was it?: Yes\nWould you come again?: A, B\nf9: 4\nf9: ""\nHow was it?: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…',
            id: '3',
          },
        ],
        more: true,
      },
    },
    {
      tool: 'list_responses',
      case: '21 answers',
      responses: [
        [
          '/responses',
          {
            total_items: 1,
            items: [
              {
                token: '1',
                answers: Array.from({ length: 21 }, (_, at) => ({
                  type: 'number',
                  number: at,
                  field: { id: 'f1' },
                })),
              },
            ],
          },
        ],
      ],
      result: {
        form: 'Customer survey',
        responses: [
          { answers: Array.from({ length: 20 }, (_, at) => `How was it?: ${at}`).join('\n'), id: '1' },
        ],
        more: false,
      },
    },
    {
      tool: 'list_responses',
      case: 'a form without questions',
      responses: [['/u6nXL7', {}]],
      result: {
        form: 'Customer survey',
        responses: [
          { submitted: '2026-11-18T10:00:00Z', answers: 'f1: Lovely, thank you\nf2: true', id: 'r1' },
        ],
        more: false,
      },
    },
  ],
  chat: { reads: [['List the forms in Typeform', 'list_forms', 'Customer survey']] },
}
