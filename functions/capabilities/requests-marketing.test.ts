import { anyText, testTools, textLike } from '../../test/support/capability-requests.ts'

const listsRequest = {
  endpoint: 'GET /lists',
  query: {
    count: '1000',
    fields: 'lists.id,lists.name,lists.stats.member_count,lists.date_created,total_items',
  },
}

const receivedMessages = {
  messages: [
    {
      from: '+15550100200',
      to: '+15550100000',
      text: 'When do you open?',
      status: 'received',
      direction: 'inbound',
      at: '2026-11-18T09:00:00.000Z',
      id: 'SM1',
    },
  ],
  more: false,
}

const subscribers = {
  audience: 'Newsletter',
  subscribers: [{ email: 'ben@example.org', name: 'Ben Ito', status: 'subscribed' }],
  more: false,
}

const sharedPost = {
  shared: true,
  link: textLike(/^https:\/\/www\.linkedin\.com\/feed\/update\/urn%3Ali%3Ashare%3A\S+$/),
  id: anyText,
}

const audiences = {
  audiences: [{ name: 'Newsletter', members: 1, created: '2025-02-01T08:00:00+00:00', id: 'a1b2c3' }],
  more: false,
}

const postContent = {
  'com.linkedin.ugc.ShareContent': {
    shareCommentary: { text: 'We are hiring' },
    shareMediaCategory: 'NONE',
  },
}

testTools({
  mailchimp: [
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
  twilio: [
    {
      tool: 'list_messages',
      input: {},
      requests: [{ endpoint: 'GET /Accounts/right-accountSid/Messages.json', query: { PageSize: '20' } }],
      result: receivedMessages,
    },
    {
      tool: 'list_messages',
      input: { limit: 1 },
      requests: [{ endpoint: 'GET /Accounts/right-accountSid/Messages.json', query: { PageSize: '1' } }],
      result: receivedMessages,
    },
    {
      tool: 'send_sms',
      input: { to: '+15550100300', body: 'Here & now' },
      requests: [
        {
          endpoint: 'GET /Accounts/right-accountSid/IncomingPhoneNumbers.json',
          query: { PageSize: '1000' },
        },
        {
          endpoint: 'POST /Accounts/right-accountSid/Messages.json',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'To=%2B15550100300&From=%2B15550100000&Body=Here+%26+now',
        },
      ],
      result: {
        sent: true,
        from: '+15550100000',
        to: '+15550100300',
        text: 'Here & now',
        status: 'queued',
        direction: 'outbound-api',
        at: null,
        id: anyText,
      },
    },
    {
      tool: 'send_sms',
      input: { to: '+15550100300', body: 'Here', from: '+15550100000' },
      requests: [
        {
          endpoint: 'GET /Accounts/right-accountSid/IncomingPhoneNumbers.json',
          query: { PageSize: '1000' },
        },
        {
          endpoint: 'POST /Accounts/right-accountSid/Messages.json',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'To=%2B15550100300&From=%2B15550100000&Body=Here',
        },
      ],
      result: {
        sent: true,
        from: '+15550100000',
        to: '+15550100300',
        text: 'Here',
        status: 'queued',
        direction: 'outbound-api',
        at: null,
        id: anyText,
      },
    },
  ],
  linkedin: [
    {
      tool: 'get_profile',
      input: {},
      requests: [{ endpoint: 'GET /v2/userinfo' }],
      result: { name: 'Ann Example', email: 'ann@example.com', picture: 'https://media.licdn.com/photo.jpg' },
    },
    {
      tool: 'share_post',
      input: { text: 'We are hiring' },
      requests: [
        { endpoint: 'GET /v2/userinfo' },
        {
          endpoint: 'POST /v2/ugcPosts',
          headers: { 'x-restli-protocol-version': '2.0.0' },
          body: {
            author: 'urn:li:person:782bbtaQ',
            lifecycleState: 'PUBLISHED',
            specificContent: postContent,
            visibility: { 'com.linkedin.ugc.MemberNetworkVisibility': 'PUBLIC' },
          },
        },
      ],
      result: sharedPost,
    },
    {
      tool: 'share_post',
      input: { text: 'We are hiring', visibility: 'connections' },
      requests: [
        { endpoint: 'GET /v2/userinfo' },
        {
          endpoint: 'POST /v2/ugcPosts',
          headers: { 'x-restli-protocol-version': '2.0.0' },
          body: {
            author: 'urn:li:person:782bbtaQ',
            lifecycleState: 'PUBLISHED',
            specificContent: postContent,
            visibility: { 'com.linkedin.ugc.MemberNetworkVisibility': 'CONNECTIONS' },
          },
        },
      ],
      result: sharedPost,
    },
  ],
})
