import { anyText, base64url, testTools } from '../../test/support/capability-requests.ts'

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

const foundMail = {
  id: 'mail-1',
  threadId: 'mail-1',
  from: 'Ann Lee <ann@example.org>',
  to: 'you@example.com',
  subject: 'Budget for March',
  date: '2026-11-19T09:00:00.000Z',
  snippet: 'The figures are ready. Can you look at them before Friday?',
  unread: true,
}

const metadataRequest = {
  endpoint: 'GET /users/me/messages/mail-1',
  query: { format: 'metadata', metadataHeaders: ['From', 'To', 'Subject', 'Date'] },
}

testTools({
  gmail: [
    {
      tool: 'send_email',
      requirement: 'CAP-05',
      input: { to: 'Ann Lee <ann@example.org>, ben@example.org', subject: 'Grüße', body: 'Hello\nAnn' },
      requests: [
        {
          endpoint: 'POST /users/me/messages/send',
          body: {
            raw: base64url(
              'To: Ann Lee <ann@example.org>, ben@example.org\r\nSubject: =?UTF-8?B?R3LDvMOfZQ==?=\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset="UTF-8"\r\nContent-Transfer-Encoding: base64\r\n\r\nSGVsbG8NCkFubg==\r\n',
            ),
          },
        },
      ],
      result: {
        sent: true,
        id: anyText,
        threadId: anyText,
        to: 'Ann Lee <ann@example.org>, ben@example.org',
        subject: 'Grüße',
      },
    },
    {
      tool: 'get_emails',
      requirement: 'CAP-04',
      input: {},
      requests: [
        { endpoint: 'GET /users/me/messages', query: { maxResults: '10', labelIds: 'INBOX' } },
        metadataRequest,
        {
          endpoint: 'GET /users/me/messages/mail-2',
          query: { format: 'metadata', metadataHeaders: ['From', 'To', 'Subject', 'Date'] },
        },
        {
          endpoint: 'GET /users/me/messages/mail-3',
          query: { format: 'metadata', metadataHeaders: ['From', 'To', 'Subject', 'Date'] },
        },
      ],
      result: {
        emails: [
          foundMail,
          {
            id: 'mail-2',
            threadId: 'mail-2',
            from: 'Ben Ito <ben@example.org>',
            to: 'you@example.com',
            subject: 'Lunch on Tuesday',
            date: '2026-11-18T09:00:00.000Z',
            snippet: 'Shall we meet at noon at the usual place?',
            unread: false,
          },
          {
            id: 'mail-3',
            threadId: 'mail-3',
            from: 'Shop <orders@example.net>',
            to: 'you@example.com',
            subject: 'Your order has shipped',
            date: '2026-11-17T09:00:00.000Z',
            snippet: 'Parcel 4711 is on its way and arrives tomorrow.',
            unread: true,
          },
        ],
        more: false,
      },
    },
    {
      tool: 'get_emails',
      requirement: 'CAP-04',
      input: { maxResults: 1, query: ' from:ann is:unread ' },
      requests: [
        { endpoint: 'GET /users/me/messages', query: { maxResults: '1', q: 'from:ann is:unread' } },
        metadataRequest,
      ],
      result: {
        emails: [foundMail],
        more: false,
      },
    },
  ],
  'microsoft-graph': [
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
            $select: 'id,subject,start,end,location,webLink',
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
            $select: 'id,subject,start,end,location,webLink',
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
            $select: 'id,subject,start,end,location,webLink',
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
})
