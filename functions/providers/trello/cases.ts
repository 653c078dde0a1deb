import { textLike, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const cardsRequests = [
  { endpoint: 'GET /members/me/boards', query: { filter: 'open', fields: 'name,url' } },
  { endpoint: 'GET /boards/b1/lists', query: { filter: 'open', fields: 'name' } },
  { endpoint: 'GET /boards/b1/cards', query: { filter: 'open', fields: 'name,desc,due,idList,shortUrl' } },
]

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

export const cases: ProviderCases = {
  roundTrips: {
    list_boards: { finds: 'Household' },
    create_card: { input: { name: 'Call the bank', list: 'done' }, finds: 'Done' },
    list_cards: { finds: 'Call the bank' },
  },
  requests: [
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
  responses: [
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
  chat: {
    reads: [['List the cards on my Trello board', 'list_cards', 'Water the plants']],
    write: [
      'Create a Trello card with the name "Water the plants"',
      'create_card',
      { name: 'Water the plants' },
    ],
  },
}
