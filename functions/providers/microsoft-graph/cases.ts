import { type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const foundEvents = {
  events: [
    {
      title: 'Budget meeting',
      start: '2026-11-22T13:00:00Z',
      end: '2026-11-22T14:00:00Z',
      location: 'Room 2',
      link: 'https://outlook.office365.com/owa/?itemid=AAEv1',
      id: 'AAEv1',
    },
  ],
  more: false,
}

export const cases: ProviderCases = {
  roundTrips: {
    list_emails: { input: { query: 'contract' }, finds: 'Contract draft' },
    list_events: { finds: 'Budget meeting' },
    list_files: { input: { query: "budget's" }, finds: '"files":[]' },
  },
  reads: [
    ['list_files', {}, 'Budget 2027.xlsx'],
    ['list_emails', {}, 'Canteen menu'],
  ],
  requests: [
    {
      tool: 'list_emails',
      input: {},
      requests: [
        {
          endpoint: 'GET /me/mailFolders/inbox/messages',
          query: {
            $top: '10',
            $select: 'id,subject,from,receivedDateTime,bodyPreview,isRead',
            $orderby: 'receivedDateTime desc',
          },
        },
      ],
      result: {
        emails: [
          {
            from: 'Ann Lee <ann@example.org>',
            subject: 'Contract draft',
            date: '2026-11-19T08:30:00Z',
            snippet: 'Please have a look at the second page.',
            unread: true,
            id: 'AAMk1',
          },
          {
            from: 'Canteen <canteen@example.org>',
            subject: 'Canteen menu',
            date: '2026-11-18T08:30:00Z',
            snippet: 'Soup.',
            unread: false,
            id: 'AAMk2',
          },
        ],
        more: false,
      },
    },
    {
      tool: 'list_emails',
      input: { query: 'contract "draft"', limit: 1 },
      requests: [
        {
          endpoint: 'GET /me/mailFolders/inbox/messages',
          query: {
            $top: '1',
            $select: 'id,subject,from,receivedDateTime,bodyPreview,isRead',
            $search: '"contract  draft "',
          },
        },
      ],
      result: { emails: [], more: false },
    },
    {
      tool: 'list_events',
      input: {},
      requests: [
        {
          endpoint: 'GET /me/calendarView',
          query: {
            startDateTime: '2026-11-20T12:00:00.000Z',
            endDateTime: '2026-11-27T12:00:00.000Z',
            $top: '20',
            $orderby: 'start/dateTime',
            $select: 'id,subject,isAllDay,start,end,location,webLink',
          },
          headers: { prefer: 'outlook.timezone="UTC"' },
        },
      ],
      result: foundEvents,
    },
    {
      tool: 'list_events',
      input: { from: '2026-11-22T10:00:00+01:00', until: '2026-11-23', limit: 5 },
      requests: [
        {
          endpoint: 'GET /me/calendarView',
          query: {
            startDateTime: '2026-11-22T09:00:00.000Z',
            endDateTime: '2026-11-24T00:00:00.000Z',
            $top: '5',
            $orderby: 'start/dateTime',
            $select: 'id,subject,isAllDay,start,end,location,webLink',
          },
          headers: { prefer: 'outlook.timezone="UTC"' },
        },
      ],
      result: foundEvents,
    },
    {
      tool: 'list_events',
      input: { from: '2026-11-22' },
      requests: [
        {
          endpoint: 'GET /me/calendarView',
          query: {
            startDateTime: '2026-11-22T00:00:00.000Z',
            endDateTime: '2026-11-29T00:00:00.000Z',
            $top: '20',
            $orderby: 'start/dateTime',
            $select: 'id,subject,isAllDay,start,end,location,webLink',
          },
          headers: { prefer: 'outlook.timezone="UTC"' },
        },
      ],
      result: foundEvents,
    },
    {
      tool: 'list_files',
      input: {},
      requests: [
        {
          endpoint: 'GET /me/drive/root/children',
          query: { $top: '20', $select: 'id,name,size,lastModifiedDateTime,webUrl,folder' },
        },
      ],
      result: {
        files: [
          {
            name: 'Budget 2027.xlsx',
            kind: 'file',
            size: 18200,
            modified: '2026-11-11T07:00:00Z',
            link: 'https://example.sharepoint.com/Budget.xlsx',
            id: '01A',
          },
          {
            name: 'Photos',
            kind: 'folder',
            modified: '2026-10-01T07:00:00Z',
            link: 'https://example.sharepoint.com/Photos',
            id: '01B',
          },
        ],
        more: false,
      },
    },
    {
      tool: 'list_files',
      input: { query: "budget's & more", limit: 1 },
      requests: [
        {
          endpoint: "GET /me/drive/root/search(q='budget''s%20%26%20more')",
          query: { $top: '1', $select: 'id,name,size,lastModifiedDateTime,webUrl,folder' },
        },
      ],
      result: { files: [], more: false },
    },
  ],
  responses: [
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
              // maathimself/mailflow#224: so that a reply goes to one recipient
              { id: '3', from: { emailAddress: { name: 'Müller, "Anna"', address: 'anna@example.org' } } },
            ],
            '@odata.nextLink': 'https://x',
          },
        ],
      ],
      result: {
        emails: [
          { from: '', subject: '(no subject)', snippet: '', unread: false, id: '1' },
          { from: '', subject: 'S', snippet: `${'x'.repeat(300)}…`, unread: false, id: '2' },
          {
            from: '"Müller, \\"Anna\\"" <anna@example.org>',
            subject: '(no subject)',
            snippet: '',
            unread: false,
            id: '3',
          },
        ],
        more: true,
      },
    },
    // kirodotdev/KiroCrew#4328: whole days are midnight to midnight in every zone
    {
      tool: 'list_events',
      case: 'events of whole days, and one in another zone than the requested one',
      responses: [
        [
          '/calendarView',
          {
            value: [
              {
                id: '1',
                subject: 'Holiday',
                isAllDay: true,
                start: { dateTime: '2026-12-01T00:00:00.0000000', timeZone: 'UTC' },
                end: { dateTime: '2026-12-02T00:00:00.0000000', timeZone: 'UTC' },
              },
              {
                id: '2',
                subject: 'Offsite',
                isAllDay: true,
                start: { dateTime: '2026-12-01T00:00:00.0000000', timeZone: 'UTC' },
                end: { dateTime: '2026-12-04T00:00:00.0000000', timeZone: 'UTC' },
              },
              {
                id: '3',
                subject: 'No length',
                isAllDay: true,
                start: { dateTime: '2026-12-01T00:00:00.0000000', timeZone: 'UTC' },
                end: { dateTime: '2026-12-01T00:00:00.0000000', timeZone: 'UTC' },
              },
              {
                id: '4',
                subject: 'Call',
                isAllDay: false,
                start: { dateTime: '2026-12-01T09:00:00.0000000', timeZone: 'Tokyo Standard Time' },
                end: { dateTime: '2026-12-01T10:00:00.0000000', timeZone: 'Tokyo Standard Time' },
              },
            ],
          },
        ],
      ],
      result: {
        events: [
          { title: 'Holiday', start: '2026-12-01', end: '2026-12-01', location: '', id: '1' },
          { title: 'Offsite', start: '2026-12-01', end: '2026-12-03', location: '', id: '2' },
          { title: 'No length', start: '2026-12-01', end: '2026-12-01', location: '', id: '3' },
          {
            title: 'Call',
            start: '2026-12-01T09:00:00 (Tokyo Standard Time)',
            end: '2026-12-01T10:00:00 (Tokyo Standard Time)',
            location: '',
            id: '4',
          },
        ],
        more: false,
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
  chat: {
    reads: [
      ['Show my Outlook emails in Microsoft Graph', 'list_emails', 'Contract draft'],
      ['List the OneDrive files in Microsoft Graph', 'list_files', 'Budget 2027.xlsx'],
    ],
  },
}
