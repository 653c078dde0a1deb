import { textLike, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const listsRequest = {
  endpoint: 'GET /lists',
  query: {
    count: '1000',
    fields: 'lists.id,lists.name,lists.stats.member_count,lists.date_created,total_items',
  },
}

const subscribers = {
  audience: 'Newsletter',
  subscribers: [{ email: 'ben@example.org', name: 'Ben Ito', status: 'subscribed' }],
  more: false,
}

const audiences = {
  audiences: [{ name: 'Newsletter', members: 1, created: '2025-02-01T08:00:00+00:00', id: 'a1b2c3' }],
  more: false,
}

export const cases: ProviderCases = {
  roundTrips: {
    list_audiences: { finds: 'Newsletter' },
    add_subscriber: { input: { email: 'ann@example.org' }, finds: 'pending' },
    list_subscribers: { finds: 'ann@example.org' },
  },
  requests: [
    {
      tool: 'list_audiences',
      input: {},
      requests: [
        { endpoint: 'GET /account/metadata', headers: { authorization: textLike(/^OAuth \S+$/) } },
        {
          endpoint: 'GET /lists',
          query: {
            count: '20',
            fields: 'lists.id,lists.name,lists.stats.member_count,lists.date_created,total_items',
          },
        },
      ],
      result: audiences,
    },
    {
      tool: 'list_audiences',
      input: { limit: 1 },
      requests: [
        { endpoint: 'GET /account/metadata', headers: { authorization: textLike(/^OAuth \S+$/) } },
        {
          endpoint: 'GET /lists',
          query: {
            count: '1',
            fields: 'lists.id,lists.name,lists.stats.member_count,lists.date_created,total_items',
          },
        },
      ],
      result: audiences,
    },
    {
      tool: 'list_subscribers',
      input: {},
      requests: [
        { endpoint: 'GET /account/metadata', headers: { authorization: textLike(/^OAuth \S+$/) } },
        listsRequest,
        {
          endpoint: 'GET /lists/a1b2c3/members',
          query: {
            count: '20',
            fields: 'members.id,members.email_address,members.status,members.full_name,total_items',
          },
        },
      ],
      result: subscribers,
    },
    {
      tool: 'list_subscribers',
      input: { audience: 'newsletter', limit: 1 },
      requests: [
        { endpoint: 'GET /account/metadata', headers: { authorization: textLike(/^OAuth \S+$/) } },
        listsRequest,
        {
          endpoint: 'GET /lists/a1b2c3/members',
          query: {
            count: '1',
            fields: 'members.id,members.email_address,members.status,members.full_name,total_items',
          },
        },
      ],
      result: subscribers,
    },
    {
      tool: 'add_subscriber',
      input: { email: 'ann@example.org' },
      requests: [
        { endpoint: 'GET /account/metadata', headers: { authorization: textLike(/^OAuth \S+$/) } },
        listsRequest,
        {
          endpoint: 'POST /lists/a1b2c3/members',
          body: { email_address: 'ann@example.org', status: 'pending' },
        },
      ],
      result: {
        added: true,
        audience: 'Newsletter',
        subscriber: { email: 'ann@example.org', name: '', status: 'pending' },
      },
    },
    {
      tool: 'add_subscriber',
      input: { email: 'cleo@example.org', audience: 'a1b2c3' },
      requests: [
        { endpoint: 'GET /account/metadata', headers: { authorization: textLike(/^OAuth \S+$/) } },
        listsRequest,
        {
          endpoint: 'POST /lists/a1b2c3/members',
          body: { email_address: 'cleo@example.org', status: 'pending' },
        },
      ],
      result: {
        added: true,
        audience: 'Newsletter',
        subscriber: { email: 'cleo@example.org', name: '', status: 'pending' },
      },
    },
  ],
  responses: [
    {
      tool: 'list_audiences',
      case: 'an audience with only a name, and more of them',
      responses: [['/lists', { lists: [{ id: '1', name: 'A' }], total_items: 2 }]],
      result: { audiences: [{ name: 'A', id: '1' }], more: true },
    },
    {
      tool: 'list_subscribers',
      case: 'people without names, and more of them',
      responses: [
        [
          '/members',
          { members: [{ id: '1', email_address: 'a@example.org', status: 'cleaned' }], total_items: 2 },
        ],
      ],
      result: {
        audience: 'Newsletter',
        subscribers: [{ email: 'a@example.org', name: '', status: 'cleaned' }],
        more: true,
      },
    },
    {
      tool: 'list_audiences',
      case: 'an invalid data centre name',
      responses: [['/metadata', { dc: 'us21.evil.example/' }]],
      error: 'The service responded in an unexpected format.',
    },
    {
      tool: 'list_audiences',
      case: 'a data centre name with a prefix',
      responses: [['/metadata', { dc: 'xus21' }]],
      error: 'The service responded in an unexpected format.',
    },
  ],
  chat: {
    reads: [['List the subscribers of my Mailchimp audience', 'list_subscribers', 'finn@example.org']],
    write: [
      'Add the subscriber finn@example.org to Mailchimp',
      'add_subscriber',
      { email: 'finn@example.org' },
    ],
  },
}
