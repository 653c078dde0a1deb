import { testUnusualResponses } from '../../test/support/capability-requests.ts'

testUnusualResponses({
  gmail: [
    {
      tool: 'get_emails',
      requirement: 'CAP-04',
      case: 'nothing that matches',
      responses: [['/messages', { resultSizeEstimate: 0 }]],
      result: { emails: [], more: false },
    },
    {
      tool: 'get_emails',
      requirement: 'CAP-04',
      case: 'headers in another case, no date or subject, and more pages',
      responses: [
        ['/messages', { messages: [{ id: 'm/1' }], nextPageToken: '2' }],
        [
          '/messages/m%2F1',
          {
            id: 'm/1',
            payload: {
              headers: [
                { name: 'from', value: ' Ann‮ ' },
                { name: 'DATE', value: 'Fri, 20 Nov 2026 09:00:00 +0000' },
              ],
            },
            internalDate: '0',
            snippet: 'a &amp; b',
          },
        ],
      ],
      result: {
        emails: [
          {
            id: 'm/1',
            threadId: '',
            from: 'Ann',
            to: '',
            subject: '(no subject)',
            date: 'Fri, 20 Nov 2026 09:00:00 +0000',
            snippet: 'a & b',
            unread: false,
          },
        ],
        more: true,
      },
    },
    {
      tool: 'get_emails',
      requirement: 'CAP-04',
      case: 'a message with nothing in it',
      responses: [
        ['/messages', { messages: [{ id: 'm' }] }],
        ['/messages/m', { id: 'm' }],
      ],
      result: {
        emails: [
          {
            id: 'm',
            threadId: '',
            from: '',
            to: '',
            subject: '(no subject)',
            date: '',
            snippet: '',
            unread: false,
          },
        ],
        more: false,
      },
    },
  ],
  'google-drive': [
    {
      tool: 'list_files',
      requirement: 'CAP-06',
      case: 'a folder, a link that is not https, and more pages',
      responses: [
        [
          '/files',
          {
            files: [
              { id: '1', name: 'x'.repeat(400), webViewLink: 'http://drive.example' },
              { id: '2', name: 'B', mimeType: 'application/vnd.google-apps.folder' },
            ],
            nextPageToken: 'x',
          },
        ],
      ],
      result: {
        files: [
          { name: `${'x'.repeat(300)}…`, mimeType: '', id: '1' },
          { name: 'B', mimeType: 'application/vnd.google-apps.folder', id: '2' },
        ],
        more: true,
      },
    },
    {
      tool: 'list_files',
      requirement: 'CAP-06',
      case: 'nothing',
      responses: [['/files', {}]],
      result: { files: [], more: false },
    },
  ],
  'google-calendar': [
    {
      tool: 'list_events',
      case: 'events with little in them, and more pages',
      responses: [
        [
          '/events',
          {
            items: [
              {
                id: '1',
                start: { date: '2026-12-01' },
                end: { date: '2026-12-02' },
                description: 'x'.repeat(400),
                attendees: Array.from({ length: 21 }, (_, at) => ({ email: `a${at}@example.org` })),
                htmlLink: 'javascript:alert(1)',
              },
            ],
            nextPageToken: 'x',
          },
        ],
      ],
      result: {
        events: [
          {
            title: '(no title)',
            start: '2026-12-01',
            end: '2026-12-01',
            location: '',
            description: `${'x'.repeat(300)}…`,
            attendees: Array.from({ length: 20 }, (_, at) => `a${at}@example.org`),
            id: '1',
          },
        ],
        more: true,
      },
    },
    {
      tool: 'list_events',
      case: 'no events',
      responses: [['/events', {}]],
      result: { events: [], more: false },
    },
  ],
  'microsoft-graph': [
    {
      tool: 'list_emails',
      case: 'null in every field that may have it',
      responses: [
        [
          '/messages',
          {
            value: [
              { id: '1', subject: null, from: null, receivedDateTime: null, bodyPreview: null, isRead: null },
              { id: '2', from: { emailAddress: null } },
              { id: '3', from: { emailAddress: { name: null, address: 'ann@example.org' } } },
            ],
          },
        ],
      ],
      result: {
        emails: [
          { from: '', subject: '(no subject)', date: null, snippet: '', unread: false, id: '1' },
          { from: '', subject: '(no subject)', snippet: '', unread: false, id: '2' },
          { from: 'ann@example.org', subject: '(no subject)', snippet: '', unread: false, id: '3' },
        ],
        more: false,
      },
    },
    {
      tool: 'list_events',
      case: 'null in every field that may have it',
      responses: [
        [
          '/calendarView',
          { value: [{ id: '1', subject: null, start: null, end: null, location: null, webLink: null }] },
        ],
      ],
      result: { events: [{ title: '', location: '', id: '1' }], more: false },
    },
    {
      tool: 'list_files',
      case: 'null in every field that may have it',
      responses: [
        [
          '/children',
          {
            value: [
              { id: '1', name: null, size: null, lastModifiedDateTime: null, webUrl: null, folder: null },
            ],
          },
        ],
      ],
      result: { files: [{ name: '', kind: 'file', size: null, modified: null, id: '1' }], more: false },
    },
    {
      tool: 'list_emails',
      case: 'mails without subject, sender and date, and more pages',
      responses: [
        [
          '/inbox/messages',
          {
            value: [
              { id: '1', subject: null },
              { id: '2', subject: 'S', from: { emailAddress: {} }, bodyPreview: 'x'.repeat(400) },
            ],
            '@odata.nextLink': 'https://x',
          },
        ],
      ],
      result: {
        emails: [
          { from: '', subject: '(no subject)', snippet: '', unread: false, id: '1' },
          { from: '', subject: 'S', snippet: `${'x'.repeat(300)}…`, unread: false, id: '2' },
        ],
        more: true,
      },
    },
    {
      tool: 'list_events',
      case: 'an event without place and subject, and more pages',
      responses: [
        [
          '/calendarView',
          {
            value: [
              {
                id: '1',
                start: { dateTime: '2026-12-01T10:00:00.0000000', timeZone: 'UTC' },
                end: { dateTime: '2026-12-01T11:00:00', timeZone: 'UTC' },
                webLink: 'http://x',
              },
              {
                id: '2',
                subject: 'S',
                location: {},
                start: { dateTime: '2026-12-01T10:00:00', timeZone: 'UTC' },
                end: { dateTime: '2026-12-01T11:00:00', timeZone: 'UTC' },
              },
            ],
            '@odata.nextLink': 'https://x',
          },
        ],
      ],
      result: {
        events: [
          { title: '', start: '2026-12-01T10:00:00Z', end: '2026-12-01T11:00:00Z', location: '', id: '1' },
          { title: 'S', start: '2026-12-01T10:00:00Z', end: '2026-12-01T11:00:00Z', location: '', id: '2' },
        ],
        more: true,
      },
    },
    {
      tool: 'list_files',
      case: 'a file with only a name, and more pages',
      responses: [['/children', { value: [{ id: '1', name: 'a' }], '@odata.nextLink': 'https://x' }]],
      result: { files: [{ name: 'a', kind: 'file', id: '1' }], more: true },
    },
  ],
  zoom: [
    {
      tool: 'list_meetings',
      case: 'a meeting with only an id, and more pages',
      responses: [
        [
          '/meetings',
          {
            meetings: [{ id: '77' }, { id: 1, agenda: 'x'.repeat(400), join_url: 'http://zoom.example' }],
            next_page_token: 'x',
          },
        ],
      ],
      result: {
        meetings: [
          { topic: '', agenda: '', id: '77' },
          { topic: '', agenda: `${'x'.repeat(300)}…`, id: '1' },
        ],
        more: true,
      },
    },
    {
      tool: 'list_meetings',
      case: 'no field for further pages',
      responses: [['/meetings', { meetings: [] }]],
      result: { meetings: [], more: false },
    },
  ],
  slack: [
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
      error: 'Slack refused the request (400). It said: "invalid types"',
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
      error: 'Slack refused the request (400). It said: "channel not found yet"',
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
  discord: [
    {
      tool: 'list_servers',
      case: 'a server with only a name',
      responses: [['/guilds', [{ id: '1', name: 'A' }]]],
      result: { servers: [{ name: 'A', owner: false, id: '1' }], more: false },
    },
    {
      tool: 'get_profile',
      case: 'a profile without a name',
      responses: [['/@me', { id: '1', username: 'ann' }]],
      result: { username: 'ann', name: '', id: '1' },
    },
  ],
  linkedin: [
    {
      tool: 'share_post',
      input: { text: 'Hello' },
      case: 'the id of a post only in a header',
      responses: [['/ugcPosts', undefined, { status: 201, headers: { 'x-restli-id': 'urn:li:share:7' } }]],
      result: {
        shared: true,
        link: 'https://www.linkedin.com/feed/update/urn%3Ali%3Ashare%3A7/',
        id: 'urn:li:share:7',
      },
    },
    {
      tool: 'share_post',
      input: { text: 'Hello' },
      case: 'no id at all',
      responses: [['/ugcPosts', undefined, { status: 201 }]],
      result: { shared: true },
    },
    {
      tool: 'get_profile',
      case: 'an account that shows nothing',
      responses: [['/userinfo', { sub: '1' }]],
      result: { name: '', email: '' },
    },
    {
      tool: 'get_profile',
      case: 'a picture that is not https',
      responses: [['/userinfo', { sub: '1', name: 'x'.repeat(400), picture: 'http://x' }]],
      result: { name: `${'x'.repeat(300)}…`, email: '' },
    },
  ],
})
