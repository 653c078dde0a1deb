import { type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const channelsRequest = {
  endpoint: 'GET /conversations.list',
  query: { types: 'public_channel', exclude_archived: 'true', limit: '200' },
}

const channelMessages = {
  messages: [{ from: 'Ann Lee', text: 'The release is on Thursday.', at: '2025-11-20T00:53:20.000Z' }],
  more: false,
}

export const cases: ProviderCases = {
  roundTrips: {
    list_channels: { finds: 'general' },
    send_message: { input: { channel: '#random', text: 'Lunch & cake?' }, finds: 'random' },
    read_messages: { input: { channel: 'random' }, finds: 'Lunch & cake?' },
  },
  requests: [
    {
      tool: 'list_channels',
      input: {},
      requests: [
        {
          endpoint: 'GET /conversations.list',
          query: { types: 'public_channel', exclude_archived: 'true', limit: '50' },
        },
      ],
      result: {
        channels: [
          { name: 'general', topic: 'Everything', members: 12, joined: true, id: 'C01GENERAL' },
          { name: 'random', topic: 'Lunch and cats', members: 11, joined: true, id: 'C02RANDOM' },
          { name: 'board', topic: '', members: 3, joined: false, id: 'C03BOARD' },
        ],
        more: false,
      },
    },
    {
      tool: 'list_channels',
      input: { limit: 1 },
      requests: [
        {
          endpoint: 'GET /conversations.list',
          query: { types: 'public_channel', exclude_archived: 'true', limit: '1' },
        },
      ],
      result: {
        channels: [{ name: 'general', topic: 'Everything', members: 12, joined: true, id: 'C01GENERAL' }],
        more: true,
      },
    },
    {
      tool: 'read_messages',
      input: { channel: 'general' },
      requests: [
        channelsRequest,
        { endpoint: 'GET /conversations.history', query: { channel: 'C01GENERAL', limit: '15' } },
        { endpoint: 'GET /users.info', query: { user: 'U1' } },
      ],
      result: channelMessages,
    },
    {
      tool: 'read_messages',
      input: { channel: '#general', limit: 1 },
      requests: [
        channelsRequest,
        { endpoint: 'GET /conversations.history', query: { channel: 'C01GENERAL', limit: '1' } },
        { endpoint: 'GET /users.info', query: { user: 'U1' } },
      ],
      result: channelMessages,
    },
    {
      tool: 'send_message',
      input: { channel: 'Random', text: 'Lunch & cake?' },
      requests: [
        channelsRequest,
        { endpoint: 'POST /chat.postMessage', body: { channel: 'C02RANDOM', text: 'Lunch & cake?' } },
      ],
      result: { sent: true, channel: 'random', id: '1795176000.000000' },
    },
    {
      tool: 'send_message',
      input: { channel: 'C02RANDOM', text: 'Lunch & cake?' },
      requests: [
        { endpoint: 'POST /chat.postMessage', body: { channel: 'C02RANDOM', text: 'Lunch & cake?' } },
      ],
      result: { sent: true, channel: 'C02RANDOM', id: '1795176000.000000' },
    },
  ],
  responses: [
    {
      tool: 'list_channels',
      case: 'a channel with only a name',
      responses: [['/conversations.list', { ok: true, channels: [{ id: 'C1', name: 'a' }] }]],
      result: { channels: [{ name: 'a', topic: '', joined: false, id: 'C1' }], more: false },
    },
    {
      tool: 'read_messages',
      input: { channel: 'general' },
      case: 'people without real names, bots without a user, and more pages',
      responses: [
        [
          '/conversations.history',
          {
            ok: true,
            messages: [
              { ts: '1.5', user: 'U1', text: 'x'.repeat(1200) },
              { ts: '2', user: 'U9' },
              { ts: '3' },
            ],
            has_more: true,
          },
        ],
        ['/users.info', { ok: true, user: { id: 'U1', name: 'ann', real_name: '' } }],
        ['/users.info', { ok: false, error: 'user_not_found' }],
      ],
      result: {
        messages: [
          { from: 'ann', text: `${'x'.repeat(1000)}…`, at: '1970-01-01T00:00:01.500Z' },
          { from: 'U9', text: '', at: '1970-01-01T00:00:02.000Z' },
          { from: '', text: '', at: '1970-01-01T00:00:03.000Z' },
        ],
        more: true,
      },
    },
    {
      tool: 'read_messages',
      input: { channel: 'general' },
      case: 'no field for further pages',
      responses: [['/conversations.history', { ok: true, messages: [] }]],
      result: { messages: [], more: false },
    },
    {
      tool: 'send_message',
      input: { channel: 'general', text: 'Hello' },
      case: 'pages of channels with none in them, and the channel on the last',
      responses: [
        ['/conversations.list', { ok: true, channels: [], response_metadata: { next_cursor: 'two' } }],
        [
          '/conversations.list',
          { ok: true, channels: [{ id: 'C1', name: 'a' }], response_metadata: { next_cursor: 'three' } },
        ],
        [
          '/conversations.list',
          { ok: true, channels: [{ id: 'C2', name: 'General' }], response_metadata: { next_cursor: null } },
        ],
        ['/chat.postMessage', { ok: true, channel: 'C2', ts: '1.000000' }],
      ],
      result: { sent: true, channel: 'General', id: '1.000000' },
    },
    {
      tool: 'send_message',
      input: { channel: 'general', text: 'Hello' },
      case: 'a channel that the app was not invited to',
      responses: [['/chat.postMessage', { ok: false, error: 'not_in_channel' }]],
      error:
        'The Slack app is not in this channel, so it can neither read nor post there. A member of the channel has to invite it first: /invite @ and the name of the app.',
    },
    {
      tool: 'list_channels',
      case: 'the error invalid_types',
      responses: [['/conversations.list', { ok: false, error: 'invalid_types' }]],
      error: 'Slack refused the request. It said: "invalid types"',
    },
    {
      tool: 'list_channels',
      case: 'the error team_not_found',
      responses: [['/conversations.list', { ok: false, error: 'team_not_found' }]],
      error: 'Slack has no such thing, or it is not visible to this account. It said: "team not found"',
    },
    {
      tool: 'list_channels',
      case: 'the error channel_not_found_yet',
      responses: [['/conversations.list', { ok: false, error: 'channel_not_found_yet' }]],
      error: 'Slack refused the request. It said: "channel not found yet"',
    },
    {
      tool: 'list_channels',
      case: 'a missing scope that it does not name',
      responses: [['/conversations.list', { ok: false, error: 'missing_scope' }]],
      error:
        'Slack needs a permission that was not granted. The user can grant it on the integrations page: disconnect Slack, connect it again, and allow everything that is asked for. It said: "missing scope"',
    },
    {
      tool: 'list_channels',
      case: 'two missing scopes',
      responses: [
        ['/conversations.list', { ok: false, error: 'missing_scope', needed: 'channels:read,groups:read' }],
      ],
      error:
        'Slack needs a permission that was not granted (channels:read, groups:read). The user can grant it on the integrations page: disconnect Slack, connect it again, and allow everything that is asked for. It said: "missing scope"',
    },
  ],
  chat: {
    reads: [['Read the messages in the "general" channel on Slack', 'read_messages', 'Lunch is ready']],
    write: [
      'Send a message to the "general" channel on Slack saying Lunch is ready',
      'send_message',
      { channel: 'general', text: 'Lunch is ready' },
    ],
  },
}
