import { expect } from 'vitest'
import { sayCapability } from '#shared/sentences/capabilities.ts'
import { testUnusualResponses } from '../../test/support/capability-requests.ts'

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

testUnusualResponses({
  notion: [
    {
      tool: 'search_pages',
      case: 'a page of a database, one without a title, and more pages',
      responses: [
        [
          '/search',
          {
            results: [
              {
                id: '1',
                url: 'https://notion.so/1',
                last_edited_time: '2026-11-01T00:00:00Z',
                properties: {
                  Tags: { type: 'multi_select' },
                  Name: { type: 'title', title: [{ plain_text: 'Road' }, { plain_text: 'map' }] },
                },
              },
              { id: '2', properties: { title: { type: 'title', title: [] } } },
              { id: '3', url: 'http://notion.so/3' },
            ],
            has_more: true,
          },
        ],
      ],
      result: {
        pages: [
          { title: 'Roadmap', edited: '2026-11-01T00:00:00Z', link: 'https://notion.so/1', id: '1' },
          { title: '(untitled)', id: '2' },
          { title: '(untitled)', id: '3' },
        ],
        more: true,
      },
    },
    {
      tool: 'search_pages',
      case: 'no field for further pages',
      responses: [['/search', { results: [] }]],
      result: { pages: [], more: false },
    },
    {
      tool: 'read_page',
      input: { page: 'Team handbook' },
      case: 'blocks of other kinds, and more of them',
      responses: [
        [
          '/children',
          {
            results: [
              { id: '1', type: 'heading_1', heading_1: { rich_text: [{ plain_text: 'A' }, {}] } },
              { id: '2', type: 'divider', divider: {} },
              { id: '3', type: 'image' },
              { id: '4', type: 'paragraph', paragraph: { rich_text: [{ plain_text: 'B' }] } },
            ],
            has_more: true,
          },
        ],
      ],
      result: { title: 'Team handbook', text: 'A\n\n\nB', more: true },
    },
    {
      tool: 'read_page',
      input: { page: 'Team handbook' },
      case: 'blocks inside blocks, a page inside the page, and a second page of blocks',
      responses: [
        [
          '/11111111-2222-4333-8444-555555555555/children',
          {
            results: [
              { id: 't', type: 'table', has_children: true, table: { table_width: 2 } },
              { id: 'p', type: 'child_page', has_children: true, child_page: { title: 'Inside' } },
            ],
            has_more: true,
            next_cursor: 'next',
          },
        ],
        [
          '/t/children',
          {
            results: [
              {
                id: 'r',
                type: 'table_row',
                table_row: { cells: [[{ plain_text: 'Name' }], [{ plain_text: 'Day' }]] },
              },
            ],
          },
        ],
        [
          '/11111111-2222-4333-8444-555555555555/children',
          { results: [{ id: 'l', type: 'toggle', toggle: { rich_text: [{ plain_text: 'Last' }] } }] },
        ],
      ],
      result: { title: 'Team handbook', text: 'Name | Day\nInside\nLast', more: false },
    },
    {
      tool: 'read_page',
      input: { page: '22222222-2222-4333-8444-555555555555' },
      case: 'more nested blocks than are read',
      responses: [
        ['/pages/22222222-2222-4333-8444-555555555555', { id: 'a' }],
        ...Array.from({ length: 20 }, (): [string, unknown] => [
          '/children',
          { results: [{ id: 'a', type: 'toggle', has_children: true, toggle: { rich_text: [] } }] },
        ]),
      ],
      result: { title: '(untitled)', text: '', more: true },
    },
    {
      tool: 'read_page',
      input: { page: 'Roadmap' },
      case: 'no page at all',
      responses: [['/search', { results: [] }]],
      error: 'There is no page that this account may use.',
    },
  ],
  trello: [
    {
      tool: 'list_boards',
      case: 'a board without a link',
      responses: [
        [
          '/boards',
          [
            { id: 'b', name: 'A' },
            { id: 'c', name: 'C', url: 'http://trello.example' },
          ],
        ],
      ],
      result: {
        boards: [
          { name: 'A', id: 'b' },
          { name: 'C', id: 'c' },
        ],
      },
    },
    {
      tool: 'list_cards',
      case: 'cards of other lists with a date',
      responses: [
        [
          '/cards',
          [
            { id: 'c', name: 'A', desc: 'x'.repeat(400), due: '2026-12-01', idList: 'l9' },
            { id: 'd', name: 'B', idList: 'l1' },
          ],
        ],
      ],
      result: {
        board: 'Household',
        cards: [
          { name: 'A', list: '', due: '2026-12-01', description: `${'x'.repeat(300)}…` },
          { name: 'B', list: 'To do', due: null, description: '' },
        ],
        more: false,
      },
    },
    {
      tool: 'list_cards',
      case: '51 cards',
      responses: [
        ['/cards', Array.from({ length: 51 }, (_, at) => ({ id: `c${at}`, name: `A${at}`, idList: 'l1' }))],
      ],
      result: {
        board: 'Household',
        cards: Array.from({ length: 50 }, (_, at) => ({
          name: `A${at}`,
          list: 'To do',
          due: null,
          description: '',
        })),
        more: true,
      },
    },
    {
      tool: 'list_cards',
      case: '50 cards',
      responses: [
        ['/cards', Array.from({ length: 50 }, (_, at) => ({ id: `c${at}`, name: `A${at}`, idList: 'l1' }))],
      ],
      result: {
        board: 'Household',
        cards: Array.from({ length: 50 }, (_, at) => ({
          name: `A${at}`,
          list: 'To do',
          due: null,
          description: '',
        })),
        more: false,
      },
    },
    {
      tool: 'create_card',
      input: { name: 'A', list: 'Nowhere' },
      case: 'no list of that name',
      responses: [],
      error: 'There is no list with this name. There are "To do", "Done".',
    },
    {
      tool: 'create_card',
      input: { name: 'A' },
      case: 'a board without lists',
      responses: [['/lists', []]],
      error: 'There is no list that this account may use.',
    },
    {
      tool: 'list_cards',
      case: 'two boards',
      responses: [
        [
          '/boards',
          [
            { id: 'b1', name: 'One' },
            { id: 'b2', name: 'Two' },
          ],
        ],
      ],
      error: 'Which board? There are "One", "Two".',
    },
  ],
  asana: [
    {
      tool: 'list_tasks',
      case: 'tasks with little in them, and more pages',
      responses: [
        [
          '/tasks',
          {
            data: [
              { gid: '1', name: 'A' },
              {
                gid: '2',
                name: 'B',
                notes: 'x'.repeat(400),
                completed: true,
                projects: [{ name: 'P' }, {}, { name: 'Q' }],
                permalink_url: 'http://x',
              },
            ],
            next_page: { offset: 'o' },
          },
        ],
      ],
      result: {
        tasks: [
          { name: 'A', due: null, completed: false, projects: '', notes: '', id: '1' },
          { name: 'B', due: null, completed: true, projects: 'P, Q', notes: `${'x'.repeat(300)}…`, id: '2' },
        ],
        more: true,
      },
    },
    {
      tool: 'list_tasks',
      case: 'no field for further pages',
      responses: [['/tasks', { data: [] }]],
      result: { tasks: [], more: false },
    },
    {
      tool: 'list_tasks',
      case: 'two workspaces',
      responses: [
        [
          '/workspaces',
          {
            data: [
              { gid: '1', name: 'One' },
              { gid: '2', name: 'Two' },
            ],
          },
        ],
      ],
      error: 'Which workspace? There are "One", "Two".',
    },
  ],
  airtable: [
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
  dropbox: [
    {
      tool: 'list_files',
      input: { query: 'a' },
      case: 'a file and something that is no file',
      responses: [
        [
          '/search_v2',
          {
            matches: [
              { metadata: { '.tag': 'other' } },
              { metadata: { '.tag': 'metadata', metadata: { id: '1', name: 'a', '.tag': 'file', size: 0 } } },
            ],
            has_more: false,
          },
        ],
      ],
      result: { files: [{ name: 'a', kind: 'file', path: '', size: 0, id: '1' }], more: false },
    },
    {
      tool: 'list_files',
      case: 'a deleted entry without an id',
      responses: [
        [
          '/list_folder',
          {
            entries: [
              { '.tag': 'deleted', name: 'b' },
              { id: '1', name: 'a', '.tag': 'folder' },
            ],
            has_more: false,
          },
        ],
      ],
      result: { files: [{ name: 'a', kind: 'folder', path: '', id: '1' }], more: false },
    },
    {
      tool: 'list_files',
      input: { limit: 1 },
      case: 'more entries than requested, and more pages',
      responses: [
        [
          '/list_folder',
          {
            entries: [
              { id: '1', name: 'a' },
              { id: '2', name: 'b' },
            ],
            has_more: true,
          },
        ],
      ],
      result: { files: [{ name: 'a', path: '', id: '1' }], more: true },
    },
    {
      tool: 'list_files',
      input: { limit: 1 },
      case: 'more entries than requested on the only page',
      responses: [
        [
          '/list_folder',
          {
            entries: [
              { id: '1', name: 'a' },
              { id: '2', name: 'b' },
            ],
            has_more: false,
          },
        ],
      ],
      result: { files: [{ name: 'a', path: '', id: '1' }], more: true },
    },
    {
      tool: 'list_files',
      case: 'no field for further pages',
      responses: [['/list_folder', { entries: [] }]],
      result: { files: [], more: false },
    },
    {
      tool: 'list_files',
      input: { query: 'a' },
      case: 'a file that matches, and more pages',
      responses: [
        [
          '/search_v2',
          {
            matches: [{ metadata: { metadata: { id: '1', name: 'a', '.tag': 'file', size: 0 } } }],
            has_more: true,
          },
        ],
      ],
      result: { files: [{ name: 'a', kind: 'file', path: '', size: 0, id: '1' }], more: true },
    },
    {
      tool: 'list_files',
      input: { query: 'a' },
      case: 'no field for further pages of a search',
      responses: [['/search_v2', { matches: [] }]],
      result: { files: [], more: false },
    },
  ],
  figma: [
    {
      tool: 'read_file',
      input: { link: 'AbCdEf1234567890' },
      case: 'a file without pages',
      responses: [['/AbCdEf1234567890', { name: 'A', lastModified: '2026-11-01T00:00:00Z', document: {} }]],
      result: { name: 'A', modified: '2026-11-01T00:00:00Z', pages: [] },
    },
    {
      tool: 'list_comments',
      input: { link: 'AbCdEf1234567890' },
      case: '51 comments',
      responses: [
        [
          '/comments',
          {
            comments: Array.from({ length: 51 }, (_, at) => ({
              id: String(at),
              message: 'm'.repeat(501),
              user: { handle: 'ann' },
              created_at: '2026-11-01T00:00:00Z',
              ...(at === 1 && { resolved_at: '2026-11-02T00:00:00Z' }),
            })),
          },
        ],
      ],
      result: {
        comments: Array.from({ length: 50 }, (_, at) => ({
          from: 'ann',
          text: `${'m'.repeat(500)}…`,
          at: '2026-11-01T00:00:00Z',
          resolved: at === 1,
          id: String(at),
        })),
        more: true,
      },
    },
    {
      tool: 'list_comments',
      input: { link: 'AbCdEf1234567890' },
      case: '50 comments',
      responses: [
        [
          '/comments',
          {
            comments: Array.from({ length: 50 }, (_, at) => ({
              id: String(at),
              message: 'm',
              user: { handle: 'ann' },
              created_at: '2026-11-01T00:00:00Z',
            })),
          },
        ],
      ],
      result: {
        comments: expect.arrayContaining([
          { from: 'ann', text: 'm', at: '2026-11-01T00:00:00Z', resolved: false, id: '49' },
        ]) as unknown,
        more: false,
      },
    },
  ],
  typeform: [
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
})
