import { type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const conversations = {
  conversations: [
    {
      from: 'Cleo Marsh',
      title: '',
      text: 'My parcel is late & I am sad',
      state: 'open',
      updated: '2025-11-19T08:13:20.000Z',
      id: '4711',
    },
  ],
  more: false,
}

export const cases: ProviderCases = {
  roundTrips: {
    reply_to_conversation: { input: { conversationId: '4711', body: 'We are on it' }, finds: '4711' },
    list_conversations: { finds: 'We are on it' },
  },
  requests: [
    {
      tool: 'list_conversations',
      input: {},
      requests: [
        {
          endpoint: 'POST /conversations/search',
          headers: { 'intercom-version': '2.13' },
          body: {
            query: { field: 'state', operator: '=', value: 'open' },
            pagination: { per_page: 20 },
          },
        },
      ],
      result: conversations,
    },
    {
      tool: 'list_conversations',
      input: { limit: 1, state: 'closed' },
      requests: [
        {
          endpoint: 'POST /conversations/search',
          headers: { 'intercom-version': '2.13' },
          body: {
            query: { field: 'state', operator: '=', value: 'closed' },
            pagination: { per_page: 1 },
          },
        },
      ],
      result: { conversations: [], more: false },
    },
    {
      tool: 'reply_to_conversation',
      input: { conversationId: '4711', body: 'We are on it' },
      requests: [
        { endpoint: 'GET /me', headers: { 'intercom-version': '2.13' } },
        {
          endpoint: 'POST /conversations/4711/reply',
          headers: { 'intercom-version': '2.13' },
          body: { message_type: 'comment', type: 'admin', admin_id: '100', body: 'We are on it' },
        },
      ],
      result: { sent: true, conversation: '4711', state: 'open' },
    },
  ],
  responses: [
    {
      tool: 'list_conversations',
      case: 'people without names, no texts, and more pages',
      responses: [
        [
          '/conversations/search',
          {
            conversations: [
              { id: '1', updated_at: 1763540000, source: { author: { email: 'a@example.org' } } },
              {
                id: '2',
                updated_at: 1,
                source: { body: `<p>${'x'.repeat(800)}</p>`, author: { name: 'Ann', email: 'x' } },
                title: 'T',
              },
              { id: '3', updated_at: 2, source: {} },
              { id: '4', updated_at: 3 },
              { id: '5' },
            ],
            pages: { next: { starting_after: 'x' } },
          },
        ],
      ],
      result: {
        conversations: [
          { from: 'a@example.org', title: '', text: '', updated: '2025-11-19T08:13:20.000Z', id: '1' },
          { from: '', title: '', text: '', updated: '1970-01-01T00:00:03.000Z', id: '4' },
          { from: '', title: '', text: '', updated: '1970-01-01T00:00:02.000Z', id: '3' },
          {
            from: 'Ann',
            title: 'T',
            text: `${'x'.repeat(500)}…`,
            updated: '1970-01-01T00:00:01.000Z',
            id: '2',
          },
          { from: '', title: '', text: '', id: '5' },
        ],
        more: true,
      },
    },
    {
      tool: 'list_conversations',
      case: '`pages` is null',
      responses: [['/conversations/search', { conversations: [], pages: null }]],
      result: { conversations: [], more: false },
    },
    {
      tool: 'list_conversations',
      case: 'no `pages` field',
      responses: [['/conversations/search', { conversations: [] }]],
      result: { conversations: [], more: false },
    },
  ],
  chat: {
    reads: [['List the conversations in Intercom', 'list_conversations', 'We are on it']],
    write: [
      'Reply to the Intercom conversation "4711" saying We are on it',
      'reply_to_conversation',
      { conversationId: '4711', body: 'We are on it' },
    ],
  },
}
