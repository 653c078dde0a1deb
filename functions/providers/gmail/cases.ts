import { base64url, anyText, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

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

export const cases: ProviderCases = {
  roundTrips: {
    send_email: { input: { to: 'ann@example.org', subject: 'Contract', body: 'Hello' }, finds: 'Contract' },
    get_emails: { input: { query: 'subject:Contract', maxResults: 7 }, finds: 'Contract' },
  },
  requests: [
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
  responses: [
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
      case: 'a message that is deleted while the others are read',
      responses: [
        ['/messages', { messages: [{ id: 'gone' }, { id: 'm' }] }],
        [
          '/messages/gone',
          { error: { code: 404, message: 'Requested entity was not found.', status: 'NOT_FOUND' } },
          { status: 404 },
        ],
        ['/messages/m', { id: 'm', payload: { headers: [{ name: 'Subject', value: 'Budget' }] } }],
      ],
      result: {
        emails: [
          {
            id: 'm',
            threadId: '',
            from: '',
            to: '',
            subject: 'Budget',
            date: '',
            snippet: '',
            unread: false,
          },
        ],
        more: false,
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
  chat: {
    reads: [['Show my Gmail emails with "Reports for you"', 'get_emails', 'Reports for you']],
    write: [
      'Send a Gmail email to ann@example.org with the subject "Reports for you" saying "Here they are"',
      'send_email',
      { to: 'ann@example.org', subject: 'Reports for you' },
    ],
  },
}
