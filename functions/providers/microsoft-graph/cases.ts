import { type ProviderCases, type ResponseCase } from '../../../test/support/provider-contracts/cases.ts'

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

const wholeMailQuery = {
  $select: 'id,subject,from,receivedDateTime,bodyPreview,isRead,body',
  $expand: 'attachments($select=name,contentType,size,isInline)',
}
const contractText = `Please have a look at the second page.
The notice period is three months there; we had agreed on six. Everything else is as in the last version (https://example.org/contracts/12) .
Ann`
const longText = 'x'.repeat(400_001)
/** A mail that is read whole. */
const wholeMail = (
  title: string,
  mail: Record<string, unknown>,
  content: Record<string, unknown>,
): ResponseCase => ({
  tool: 'list_emails',
  input: { id: 'm' },
  case: title,
  responses: [['/me/messages/m', { id: 'm', ...mail }]],
  result: {
    emails: [
      { from: '', subject: '(no subject)', snippet: '', unread: false, id: 'm', attachments: [], ...content },
    ],
    more: false,
  },
})
/** Mails as others have reported them of readers of Microsoft Graph. */
const wholeMails: ResponseCase[] = [
  // microsoftgraph/microsoft-graph-docs#12595: in one list some are text, and others HTML
  wholeMail(
    'a text',
    { body: { contentType: 'text', content: '5 < 6\r\n> quoted\u200b' } },
    { text: '5 < 6\n> quoted' },
  ),
  wholeMail('HTML', { body: { contentType: 'HTML', content: '<p>5 &lt; 6</p>' } }, { text: '5 < 6' }),
  wholeMail('a body of no kind', { body: { content: '<p>Hello</p>' } }, { text: 'Hello' }),
  wholeMail('no body', { body: null, attachments: null }, { text: '' }),
  wholeMail('a body with nothing in it', { body: { contentType: null, content: null } }, { text: '' }),
  // nugget/thane-ai-agent#1560
  wholeMail(
    'a text that is hidden',
    { body: { contentType: 'html', content: '<span style="display: none">Ignore that</span><p>Offer</p>' } },
    { text: 'Offer' },
  ),
  // Softeria/ms-365-mcp-server#216
  wholeMail(
    'a text that is too long',
    { body: { contentType: 'text', content: longText } },
    { textCut: true, text: `${longText.slice(0, 400_000)}…` },
  ),
  // learn.microsoft.com: a mail within it has no type; the size of a link to a file is not that of the file (microsoft-graph-docs-contrib#7993)
  wholeMail(
    'attachments of each kind, and of none',
    {
      attachments: [
        {
          '@odata.type': '#microsoft.graph.itemAttachment',
          name: 'Re: Prices',
          contentType: null,
          size: 32_005,
        },
        {
          '@odata.type': '#microsoft.graph.referenceAttachment',
          name: 'Plan.xlsx',
          size: 870,
          isInline: false,
        },
        { name: 'a\u202egpj.exe', contentType: 'Application/PDF', size: 0, isInline: null },
        {},
      ],
    },
    {
      text: '',
      attachments: [
        { name: 'Re: Prices', type: '', size: 32_005 },
        { name: 'Plan.xlsx', type: '' },
        { name: 'agpj.exe', type: 'application/pdf', size: 0 },
        { name: '', type: '' },
      ],
    },
  ),
  // microsoftgraph/msgraph-sdk-dotnet#1683 and microsoft-graph-docs#2095: a picture may say that it does not stand in the text
  wholeMail(
    'pictures in the text, and a document that is shown there',
    {
      attachments: [
        { name: 'image001.png', contentType: 'image/png', size: 4, isInline: true },
        { name: 'logo.jpg', contentType: 'IMAGE/JPEG', size: 4, isInline: false },
        { name: 'a.pdf', contentType: 'application/pdf', size: 4, isInline: true },
      ],
    },
    {
      text: '',
      embeddedImages: 1,
      attachments: [
        { name: 'logo.jpg', type: 'image/jpeg', size: 4 },
        { name: 'a.pdf', type: 'application/pdf', size: 4 },
      ],
    },
  ),
  // microsoftgraph/microsoft-graph-docs#15204, elyxlz/microsoft-mcp#18
  {
    tool: 'list_emails',
    input: { id: 'AAMk/a+b=' },
    case: 'an id with a slash',
    responses: [['/me/messages/AAMk%2Fa%2Bb%3D', { id: 'AAMk/a+b=' }]],
    result: {
      emails: [
        {
          from: '',
          subject: '(no subject)',
          snippet: '',
          unread: false,
          id: 'AAMk/a+b=',
          attachments: [],
          text: '',
        },
      ],
      more: false,
    },
  },
  {
    tool: 'list_emails',
    input: { id: 'AAMk9' },
    case: 'a mail that is gone',
    responses: [],
    error:
      'Microsoft Graph has no such thing, or it is not visible to this account. It said: "The specified object was not found in the store."',
  },
  {
    tool: 'list_emails',
    input: { id: 'the mail of Ann' },
    case: 'an id that is none',
    responses: [],
    error: 'Microsoft Graph refused the request (400). It said: "Id is malformed."',
  },
]

export const cases: ProviderCases = {
  roundTrips: {
    list_emails: { input: { query: 'contract' }, finds: 'Contract draft' },
    list_events: { finds: 'Budget meeting' },
    list_files: { input: { query: "budget's" }, finds: '"files":[]' },
  },
  reads: [
    ['list_files', {}, 'Budget 2027.xlsx'],
    ['list_emails', {}, 'Canteen menu'],
    ['list_emails', { id: 'AAMk1' }, 'The notice period is three months there'],
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
    // the id alone counts
    {
      tool: 'list_emails',
      input: { id: ' AAMk1', query: 'canteen', limit: 3 },
      requests: [{ endpoint: 'GET /me/messages/AAMk1', query: wholeMailQuery }],
      result: {
        emails: [
          {
            from: 'Ann Lee <ann@example.org>',
            subject: 'Contract draft',
            date: '2026-11-19T08:30:00Z',
            snippet: 'Please have a look at the second page.',
            unread: true,
            id: 'AAMk1',
            attachments: [{ name: 'contract.pdf', type: 'application/pdf', size: 18_423 }],
            embeddedImages: 1,
            text: contractText,
          },
        ],
        more: false,
      },
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
    ...wholeMails,
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
      ['Find the Outlook mail of Ann in Microsoft Graph', 'list_emails', 'Contract draft'],
      ['List the OneDrive files in Microsoft Graph', 'list_files', 'Budget 2027.xlsx'],
    ],
  },
}
