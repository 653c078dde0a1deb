import { textLike, anyText, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const foundPages = {
  pages: [
    {
      title: 'Team handbook',
      edited: '2026-11-18T09:00:00.000Z',
      link: 'https://www.notion.so/11111111222243338444555555555555',
      id: '11111111-2222-4333-8444-555555555555',
    },
  ],
  more: false,
}

const titleSearch = {
  endpoint: 'POST /search',
  body: {
    filter: { property: 'object', value: 'page' },
    sort: { timestamp: 'last_edited_time', direction: 'descending' },
    page_size: 100,
  },
}

const blocksRequest = {
  endpoint: 'GET /blocks/11111111-2222-4333-8444-555555555555/children',
  query: { page_size: '100' },
}

export const cases: ProviderCases = {
  roundTrips: {
    create_page: {
      input: { title: 'Offsite', content: 'Bring boots\n\nand a hat', parent: 'Team handbook' },
      finds: 'Team handbook',
    },
    search_pages: { input: { query: 'offsite' }, finds: 'Offsite' },
    read_page: { input: { page: 'Offsite' }, finds: 'and a hat' },
  },
  inputsById: {
    read_page: { page: '11111111222243338444555555555555' },
    create_page: { parent: '11111111-2222-4333-8444-555555555555' },
  },
  requests: [
    {
      tool: 'search_pages',
      input: {},
      requests: [
        {
          endpoint: 'POST /search',
          body: {
            filter: { property: 'object', value: 'page' },
            sort: { timestamp: 'last_edited_time', direction: 'descending' },
            page_size: 20,
          },
        },
      ],
      result: foundPages,
    },
    {
      tool: 'search_pages',
      input: { query: 'hand', limit: 1 },
      requests: [
        {
          endpoint: 'POST /search',
          body: {
            query: 'hand',
            filter: { property: 'object', value: 'page' },
            sort: { timestamp: 'last_edited_time', direction: 'descending' },
            page_size: 1,
          },
        },
      ],
      result: foundPages,
    },
    {
      tool: 'read_page',
      input: { page: 'team handbook' },
      requests: [
        {
          endpoint: 'POST /search',
          body: {
            query: 'team handbook',
            filter: { property: 'object', value: 'page' },
            sort: { timestamp: 'last_edited_time', direction: 'descending' },
            page_size: 100,
          },
        },
        blocksRequest,
      ],
      result: { title: 'Team handbook', text: 'We meet on Mondays.', more: false },
    },
    {
      tool: 'read_page',
      input: { page: '11111111-2222-4333-8444-555555555555' },
      requests: [{ endpoint: 'GET /pages/11111111-2222-4333-8444-555555555555' }, blocksRequest],
      result: { title: 'Team handbook', text: 'We meet on Mondays.', more: false },
    },
    {
      tool: 'read_page',
      // as in the link of a page
      input: { page: '11111111222243338444555555555555' },
      requests: [{ endpoint: 'GET /pages/11111111222243338444555555555555' }, blocksRequest],
      result: { title: 'Team handbook', text: 'We meet on Mondays.', more: false },
    },
    {
      tool: 'create_page',
      input: { title: 'Empty' },
      requests: [
        titleSearch,
        {
          endpoint: 'POST /pages',
          body: {
            parent: { page_id: '11111111-2222-4333-8444-555555555555' },
            properties: { title: { title: [{ text: { content: 'Empty' } }] } },
            children: [],
          },
        },
      ],
      result: {
        created: true,
        title: 'Empty',
        under: 'Team handbook',
        link: textLike(/^https:\/\/www\.notion\.so\/\S+$/),
        id: anyText,
      },
    },
    {
      tool: 'create_page',
      input: { title: 'Offsite', content: 'Bring boots\n\nand a hat', parent: 'Team handbook' },
      requests: [
        {
          endpoint: 'POST /search',
          body: {
            query: 'Team handbook',
            filter: { property: 'object', value: 'page' },
            sort: { timestamp: 'last_edited_time', direction: 'descending' },
            page_size: 100,
          },
        },
        {
          endpoint: 'POST /pages',
          body: {
            parent: { page_id: '11111111-2222-4333-8444-555555555555' },
            properties: { title: { title: [{ text: { content: 'Offsite' } }] } },
            children: [
              {
                object: 'block',
                type: 'paragraph',
                paragraph: { rich_text: [{ type: 'text', text: { content: 'Bring boots' } }] },
              },
              {
                object: 'block',
                type: 'paragraph',
                paragraph: { rich_text: [{ type: 'text', text: { content: 'and a hat' } }] },
              },
            ],
          },
        },
      ],
      result: {
        created: true,
        title: 'Offsite',
        under: 'Team handbook',
        link: textLike(/^https:\/\/www\.notion\.so\/\S+$/),
        id: anyText,
      },
    },
  ],
  responses: [
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
  chat: {
    reads: [['Search the Notion pages for "Packing"', 'search_pages', 'Packing']],
    write: ['Create a Notion page with the title "Packing"', 'create_page', { title: 'Packing' }],
  },
}
