import { anyText, testTools, textLike } from '../../test/support/capability-requests.ts'

const cardsRequests = [
  { endpoint: 'GET /members/me/boards', query: { filter: 'open', fields: 'name,url' } },
  { endpoint: 'GET /boards/b1/lists', query: { filter: 'open', fields: 'name' } },
  { endpoint: 'GET /boards/b1/cards', query: { filter: 'open', fields: 'name,desc,due,idList,shortUrl' } },
]

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

const boardCards = {
  board: 'Household',
  cards: [
    {
      name: 'Buy a lamp',
      list: 'To do',
      due: null,
      description: 'For the hall',
      link: 'https://trello.com/c/c1',
    },
  ],
  more: false,
}

const blocksRequest = {
  endpoint: 'GET /blocks/11111111-2222-4333-8444-555555555555/children',
  query: { page_size: '100' },
}

testTools({
  notion: [
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
  trello: [
    {
      tool: 'list_boards',
      input: {},
      requests: [{ endpoint: 'GET /members/me/boards', query: { filter: 'open', fields: 'name,url' } }],
      result: { boards: [{ name: 'Household', link: 'https://trello.com/b/b1/household', id: 'b1' }] },
    },
    {
      tool: 'list_cards',
      input: {},
      requests: cardsRequests,
      result: boardCards,
    },
    {
      tool: 'list_cards',
      input: { board: 'b1' },
      requests: cardsRequests,
      result: boardCards,
    },
    {
      tool: 'create_card',
      input: { name: 'Call the bank' },
      requests: [
        { endpoint: 'GET /members/me/boards', query: { filter: 'open', fields: 'name,url' } },
        { endpoint: 'GET /boards/b1/lists', query: { filter: 'open', fields: 'name' } },
        { endpoint: 'POST /cards', body: { idList: 'l1', name: 'Call the bank', desc: '', pos: 'bottom' } },
      ],
      result: {
        created: true,
        name: 'Call the bank',
        board: 'Household',
        list: 'To do',
        link: textLike(/^https:\/\/trello\.com\/c\/\S+$/),
      },
    },
    {
      tool: 'create_card',
      input: { name: 'Buy bread', description: 'Two loaves', board: 'household', list: 'Done' },
      requests: [
        { endpoint: 'GET /members/me/boards', query: { filter: 'open', fields: 'name,url' } },
        { endpoint: 'GET /boards/b1/lists', query: { filter: 'open', fields: 'name' } },
        {
          endpoint: 'POST /cards',
          body: { idList: 'l2', name: 'Buy bread', desc: 'Two loaves', pos: 'bottom' },
        },
      ],
      result: {
        created: true,
        name: 'Buy bread',
        board: 'Household',
        list: 'Done',
        link: textLike(/^https:\/\/trello\.com\/c\/\S+$/),
      },
    },
  ],
})
