import { anyText, testTools, textLike } from '../../test/support/capability-requests.ts'

const channelsRequest = {
  endpoint: 'GET /conversations.list',
  query: { types: 'public_channel', exclude_archived: 'true', limit: '200' },
}

const meetings = {
  meetings: [
    {
      topic: 'Weekly sync',
      start: '2026-11-21T10:00:00Z',
      minutes: 30,
      agenda: '',
      link: 'https://zoom.us/j/86000000001',
      id: '86000000001',
    },
  ],
  more: false,
}

const channelMessages = {
  messages: [{ from: 'Ann Lee', text: 'The release is on Thursday.', at: '2025-11-20T00:53:20.000Z' }],
  more: false,
}

testTools({
  slack: [
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
  zoom: [
    {
      tool: 'list_meetings',
      input: {},
      requests: [{ endpoint: 'GET /users/me/meetings', query: { type: 'upcoming', page_size: '20' } }],
      result: meetings,
    },
    {
      tool: 'list_meetings',
      input: { limit: 1 },
      requests: [{ endpoint: 'GET /users/me/meetings', query: { type: 'upcoming', page_size: '1' } }],
      result: meetings,
    },
    {
      tool: 'create_meeting',
      input: { title: 'Retro', startTime: '2099-12-01T16:00:00.500+01:00' },
      requests: [
        {
          endpoint: 'POST /users/me/meetings',
          body: { topic: 'Retro', type: 2, start_time: '2099-12-01T15:00:00Z', duration: 60 },
        },
      ],
      result: {
        created: true,
        meeting: {
          topic: 'Retro',
          start: '2099-12-01T15:00:00Z',
          minutes: 60,
          agenda: '',
          link: textLike(/^https:\/\/zoom\.us\/j\/\S+$/),
          id: anyText,
        },
      },
    },
    {
      tool: 'create_meeting',
      input: { title: 'Retro', startTime: '2099-12-01T16:00:00Z', minutes: 45, agenda: 'What went well' },
      requests: [
        {
          endpoint: 'POST /users/me/meetings',
          body: {
            topic: 'Retro',
            type: 2,
            start_time: '2099-12-01T16:00:00Z',
            duration: 45,
            agenda: 'What went well',
          },
        },
      ],
      result: {
        created: true,
        meeting: {
          topic: 'Retro',
          start: '2099-12-01T16:00:00Z',
          minutes: 45,
          agenda: 'What went well',
          link: textLike(/^https:\/\/zoom\.us\/j\/\S+$/),
          id: anyText,
        },
      },
    },
  ],
  discord: [
    {
      tool: 'list_servers',
      input: {},
      requests: [
        {
          endpoint: 'GET /users/@me/guilds',
          query: { limit: '50', with_counts: 'true' },
          headers: { 'user-agent': 'DiscordBot (juno-assistant, 1.0)' },
        },
      ],
      result: {
        servers: [{ name: 'Board games', owner: true, members: 42, id: '197038439483310086' }],
        more: false,
      },
    },
    {
      tool: 'list_servers',
      input: { limit: 1 },
      requests: [
        {
          endpoint: 'GET /users/@me/guilds',
          query: { limit: '1', with_counts: 'true' },
          headers: { 'user-agent': 'DiscordBot (juno-assistant, 1.0)' },
        },
      ],
      result: {
        servers: [{ name: 'Board games', owner: true, members: 42, id: '197038439483310086' }],
        more: true,
      },
    },
    {
      tool: 'get_profile',
      input: {},
      requests: [
        { endpoint: 'GET /users/@me', headers: { 'user-agent': 'DiscordBot (juno-assistant, 1.0)' } },
      ],
      result: { username: 'ann', name: 'Ann', id: '80351110224678912' },
    },
  ],
})
