import { sayCapability } from '#shared/sentences/capabilities.ts'
import { anyText, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const records = {
  base: 'Projects',
  table: 'Tasks',
  records: [{ Title: 'Write the brief', Status: 'Doing', id: 'rec1' }],
  more: false,
}

const tableWithComputedField = {
  id: 't1',
  name: 'Things',
  primaryFieldId: 'fld1',
  fields: [
    { id: 'fld1', name: 'Number', type: 'autoNumber' },
    { id: 'fld2', name: 'Title', type: 'singleLineText' },
    { id: 'fld3', name: 'Created', type: 'createdTime' },
  ],
}

export const cases: ProviderCases = {
  roundTrips: {
    list_bases: { finds: 'Projects' },
    create_record: {
      input: { name: 'Website relaunch', fields: { Status: 'Todo' } },
      finds: 'Website relaunch',
    },
    list_records: { finds: 'Website relaunch' },
  },
  inputsById: { list_records: { base: 'a text' }, create_record: { base: 'a text' } },
  requests: [
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
  responses: [
    {
      tool: 'list_bases',
      case: 'more pages',
      responses: [['/meta/bases', { bases: [{ id: '1', name: 'x'.repeat(400) }], offset: 'x' }]],
      result: { bases: [{ name: `${'x'.repeat(300)}…`, id: '1' }], more: true },
    },
    {
      tool: 'list_records',
      case: 'values of all kinds, and more pages',
      responses: [
        [
          '/tblAAAAAAAAAAAAA1',
          {
            records: [
              { id: '1' },
              {
                id: '2',
                fields: { Text: 'x'.repeat(400), Number: 1, Yes: true, List: ['a', 'b'], id: 'not this' },
              },
              { id: '3', fields: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`F${at}`, at])) },
            ],
            offset: 'x',
          },
        ],
      ],
      result: {
        base: 'Projects',
        table: 'Tasks',
        records: [
          { id: '1' },
          { Text: `${'x'.repeat(300)}…`, Number: 1, Yes: true, List: '["a","b"]', id: '2' },
          { ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`F${at}`, at])), id: '3' },
        ],
        more: true,
      },
    },
    {
      tool: 'create_record',
      input: { name: 'A', base: 'Last' },
      case: 'a base on the second page',
      responses: [
        ['/meta/bases', { bases: [{ id: 'app1', name: 'First' }], offset: 'next' }],
        ['/meta/bases', { bases: [{ id: 'app2', name: 'Last' }] }],
        ['/app2/tables', { tables: [{ id: 't1', name: 'Things', primaryFieldId: 'fldX' }] }],
        ['/t1', { id: 'r' }],
      ],
      result: { created: true, base: 'Last', table: 'Things', record: { id: 'r' } },
    },
    {
      tool: 'create_record',
      input: { name: 'A', base: 'Projects' },
      case: 'two bases with this name',
      responses: [
        [
          '/meta/bases',
          {
            bases: [
              { id: 'app1', name: 'Projects' },
              { id: 'app2', name: 'Projects' },
            ],
          },
        ],
      ],
      error: 'Which base? 2 have this name. Their ids are "app1", "app2".',
    },
    {
      tool: 'create_record',
      input: { name: 'A', fields: { Title: 'A' } },
      case: 'a first field that Airtable computes',
      responses: [
        ['/tables', { tables: [tableWithComputedField] }],
        ['/t1', { id: 'r', fields: { Number: 7, Title: 'A' } }],
      ],
      sent: { fields: { Title: 'A' }, typecast: true },
      result: {
        created: true,
        base: 'Projects',
        table: 'Things',
        record: { Number: 7, Title: 'A', id: 'r' },
        not_written: sayCapability('airtable_computed.name', { field: 'Number' }),
      },
    },
    {
      tool: 'create_record',
      input: { name: 'A' },
      case: 'a first field that Airtable computes, and no other',
      responses: [['/tables', { tables: [tableWithComputedField] }]],
      error:
        'Airtable computes the first field, "Number". Put the name into one of the other fields: "Title".',
    },
    {
      tool: 'create_record',
      input: { name: 'A', table: 'Things', base: 'Projects' },
      case: 'a table whose first field is not among those shown',
      responses: [
        ['/tables', { tables: [{ id: 't1', name: 'Things', primaryFieldId: 'fldX' }] }],
        ['/t1', { id: 'r' }],
      ],
      result: { created: true, base: 'Projects', table: 'Things', record: { id: 'r' } },
    },
  ],
  chat: {
    reads: [['List the records in Airtable', 'list_records', 'Order chairs']],
    write: [
      'Create an Airtable record with the name "Order chairs"',
      'create_record',
      { name: 'Order chairs' },
    ],
  },
}
