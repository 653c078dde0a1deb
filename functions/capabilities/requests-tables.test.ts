import { anyText, testTools } from '../../test/support/capability-requests.ts'

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

const records = {
  base: 'Projects',
  table: 'Tasks',
  records: [{ Title: 'Write the brief', Status: 'Doing', id: 'rec1' }],
  more: false,
}

testTools({
  typeform: [
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
  airtable: [
    {
      tool: 'list_bases',
      input: {},
      requests: [{ endpoint: 'GET /meta/bases' }],
      result: { bases: [{ name: 'Projects', id: 'appAAAAAAAAAAAAA1' }], more: false },
    },
    {
      tool: 'list_records',
      input: {},
      requests: [
        { endpoint: 'GET /meta/bases' },
        { endpoint: 'GET /meta/bases/appAAAAAAAAAAAAA1/tables' },
        { endpoint: 'GET /appAAAAAAAAAAAAA1/tblAAAAAAAAAAAAA1', query: { pageSize: '20' } },
      ],
      result: records,
    },
    {
      tool: 'list_records',
      input: { base: 'projects', table: 'tblAAAAAAAAAAAAA1', limit: 1 },
      requests: [
        { endpoint: 'GET /meta/bases' },
        { endpoint: 'GET /meta/bases/appAAAAAAAAAAAAA1/tables' },
        { endpoint: 'GET /appAAAAAAAAAAAAA1/tblAAAAAAAAAAAAA1', query: { pageSize: '1' } },
      ],
      result: records,
    },
    {
      tool: 'create_record',
      input: { name: 'Website' },
      requests: [
        { endpoint: 'GET /meta/bases' },
        { endpoint: 'GET /meta/bases/appAAAAAAAAAAAAA1/tables' },
        {
          endpoint: 'POST /appAAAAAAAAAAAAA1/tblAAAAAAAAAAAAA1',
          body: { fields: { Title: 'Website' }, typecast: true },
        },
      ],
      result: { created: true, base: 'Projects', table: 'Tasks', record: { Title: 'Website', id: anyText } },
    },
    {
      tool: 'create_record',
      input: { name: 'Website', fields: { Status: 'Todo' }, base: 'appAAAAAAAAAAAAA1', table: 'tasks' },
      requests: [
        { endpoint: 'GET /meta/bases' },
        { endpoint: 'GET /meta/bases/appAAAAAAAAAAAAA1/tables' },
        {
          endpoint: 'POST /appAAAAAAAAAAAAA1/tblAAAAAAAAAAAAA1',
          body: { fields: { Status: 'Todo', Title: 'Website' }, typecast: true },
        },
      ],
      result: {
        created: true,
        base: 'Projects',
        table: 'Tasks',
        record: { Status: 'Todo', Title: 'Website', id: anyText },
      },
    },
  ],
})
