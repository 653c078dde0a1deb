import { anyText, testTools, textLike } from '../../test/support/capability-requests.ts'

const dentist = {
  title: 'Dentist',
  start: '2026-11-21T09:00:00.000Z',
  end: '2026-11-21T10:00:00.000Z',
  location: 'Main Street 1',
  description: '',
  attendees: [],
  link: 'https://www.google.com/calendar/event?eid=ev1',
  id: 'ev1',
}

testTools({
  'google-drive': [
    {
      tool: 'list_files',
      requirement: 'CAP-06',
      input: {},
      requests: [
        {
          endpoint: 'GET /files',
          query: {
            pageSize: '20',
            q: 'trashed = false',
            orderBy: 'modifiedTime desc',
            fields: 'nextPageToken,files(id,name,mimeType,size,modifiedTime,webViewLink,shortcutDetails)',
            spaces: 'drive',
            supportsAllDrives: 'true',
            includeItemsFromAllDrives: 'true',
          },
        },
      ],
      result: {
        files: [
          {
            name: 'Quarterly report.txt',
            mimeType: 'text/plain',
            size: 30,
            modified: '2026-11-19T08:00:00.000Z',
            link: 'https://drive.google.com/file/d/file-1/view',
            id: 'file-1',
          },
          {
            name: 'Travel plan.md',
            mimeType: 'text/markdown',
            size: 28,
            modified: '2026-11-18T08:00:00.000Z',
            link: 'https://drive.google.com/file/d/file-2/view',
            id: 'file-2',
          },
          {
            name: 'Contacts.csv',
            mimeType: 'text/csv',
            size: 29,
            modified: '2026-11-17T08:00:00.000Z',
            link: 'https://drive.google.com/file/d/file-3/view',
            id: 'file-3',
          },
        ],
        more: false,
      },
    },
    {
      tool: 'list_files',
      requirement: 'CAP-06',
      input: { query: " Ann's \\ plan ", maxResults: 1 },
      requests: [
        {
          endpoint: 'GET /files',
          query: {
            pageSize: '1',
            q: "(name contains 'Ann\\'s \\\\ plan' or fullText contains 'Ann\\'s \\\\ plan') and trashed = false",
            fields: 'nextPageToken,files(id,name,mimeType,size,modifiedTime,webViewLink,shortcutDetails)',
            spaces: 'drive',
            supportsAllDrives: 'true',
            includeItemsFromAllDrives: 'true',
          },
        },
      ],
      result: { files: [], more: false },
    },
    {
      tool: 'create_file',
      requirement: 'CAP-07',
      input: { name: 'notes.txt', content: 'Hello' },
      requests: [
        {
          endpoint: 'POST /upload/files',
          query: { uploadType: 'multipart', fields: 'id,name,mimeType,size,modifiedTime,webViewLink' },
          headers: { 'content-type': 'multipart/related; boundary=part-…' },
          body: '--part-…\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{"name":"notes.txt","mimeType":"text/plain"}\r\n--part-…\r\nContent-Type: text/plain\r\n\r\nHello\r\n--part-…--\r\n',
        },
      ],
      result: {
        created: true,
        file: {
          name: 'notes.txt',
          mimeType: 'text/plain',
          size: 5,
          modified: '2026-11-20T12:00:00.000Z',
          link: textLike(/^https:\/\/drive\.google\.com\/file\/d\/file-\S+$/),
          id: anyText,
        },
      },
    },
    {
      tool: 'create_file',
      requirement: 'CAP-07',
      input: { name: 'plan "A".md', content: '# Grüße', mimeType: 'text/markdown' },
      requests: [
        {
          endpoint: 'POST /upload/files',
          query: { uploadType: 'multipart', fields: 'id,name,mimeType,size,modifiedTime,webViewLink' },
          headers: { 'content-type': 'multipart/related; boundary=part-…' },
          body: '--part-…\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{"name":"plan \\"A\\".md","mimeType":"text/markdown"}\r\n--part-…\r\nContent-Type: text/markdown\r\n\r\n# Grüße\r\n--part-…--\r\n',
        },
      ],
      result: {
        created: true,
        file: {
          name: 'plan "A".md',
          mimeType: 'text/markdown',
          size: 9,
          modified: '2026-11-20T12:00:00.000Z',
          link: textLike(/^https:\/\/drive\.google\.com\/file\/d\/file-\S+$/),
          id: anyText,
        },
      },
    },
  ],
  'google-calendar': [
    {
      tool: 'list_events',
      input: {},
      requests: [
        {
          endpoint: 'GET /calendars/primary/events',
          query: {
            singleEvents: 'true',
            orderBy: 'startTime',
            timeMin: '2026-11-20T12:00:00.000Z',
            maxResults: '20',
          },
        },
      ],
      result: {
        events: [
          dentist,
          {
            title: 'Team offsite',
            start: '2026-11-23',
            end: '2026-11-23',
            location: '',
            description: '',
            attendees: [],
            link: 'https://www.google.com/calendar/event?eid=ev2',
            id: 'ev2',
          },
        ],
        more: false,
      },
    },
    {
      tool: 'list_events',
      input: { query: 'dentist', from: '2026-11-21', until: '2026-11-30', limit: 1 },
      requests: [
        {
          endpoint: 'GET /calendars/primary/events',
          query: {
            singleEvents: 'true',
            orderBy: 'startTime',
            timeMin: '2026-11-21T00:00:00Z',
            timeMax: '2026-12-01T00:00:00Z',
            q: 'dentist',
            maxResults: '1',
          },
        },
      ],
      result: {
        events: [dentist],
        more: false,
      },
    },
    {
      tool: 'list_events',
      input: { from: '2026-11-21T08:00:00+01:00', until: '2026-11-22T08:00:00Z' },
      requests: [
        {
          endpoint: 'GET /calendars/primary/events',
          query: {
            singleEvents: 'true',
            orderBy: 'startTime',
            timeMin: '2026-11-21T08:00:00+01:00',
            timeMax: '2026-11-22T08:00:00Z',
            maxResults: '20',
          },
        },
      ],
      result: {
        events: [dentist],
        more: false,
      },
    },
    {
      tool: 'create_event',
      input: { title: 'Lunch', startTime: '2099-12-01T12:00:00Z' },
      requests: [
        {
          endpoint: 'POST /calendars/primary/events',
          body: {
            summary: 'Lunch',
            start: { dateTime: '2099-12-01T12:00:00Z' },
            end: { dateTime: '2099-12-01T13:00:00.000Z' },
          },
        },
      ],
      result: {
        created: true,
        event: {
          title: 'Lunch',
          start: '2099-12-01T12:00:00Z',
          end: '2099-12-01T13:00:00.000Z',
          location: '',
          description: '',
          attendees: [],
          link: textLike(/^https:\/\/www\.google\.com\/calendar\/event\?eid=\S+$/),
          id: anyText,
        },
      },
    },
    {
      tool: 'create_event',
      input: { title: 'Fair', startTime: '2099-12-01' },
      requests: [
        {
          endpoint: 'POST /calendars/primary/events',
          body: { summary: 'Fair', start: { date: '2099-12-01' }, end: { date: '2099-12-02' } },
        },
      ],
      result: {
        created: true,
        event: {
          title: 'Fair',
          start: '2099-12-01',
          end: '2099-12-01',
          location: '',
          description: '',
          attendees: [],
          link: textLike(/^https:\/\/www\.google\.com\/calendar\/event\?eid=\S+$/),
          id: anyText,
        },
      },
    },
    {
      tool: 'create_event',
      input: {
        title: 'Offsite',
        startTime: '2099-12-01T09:00:00+01:00',
        endTime: '2099-12-01T17:00:00+01:00',
        location: 'Lisbon',
        description: 'Bring boots',
      },
      requests: [
        {
          endpoint: 'POST /calendars/primary/events',
          body: {
            summary: 'Offsite',
            start: { dateTime: '2099-12-01T09:00:00+01:00' },
            end: { dateTime: '2099-12-01T17:00:00+01:00' },
            location: 'Lisbon',
            description: 'Bring boots',
          },
        },
      ],
      result: {
        created: true,
        event: {
          title: 'Offsite',
          start: '2099-12-01T09:00:00+01:00',
          end: '2099-12-01T17:00:00+01:00',
          location: 'Lisbon',
          description: 'Bring boots',
          attendees: [],
          link: textLike(/^https:\/\/www\.google\.com\/calendar\/event\?eid=\S+$/),
          id: anyText,
        },
      },
    },
    {
      tool: 'create_event',
      input: { title: 'Holidays', startTime: '2099-12-24', endTime: '2099-12-27' },
      requests: [
        {
          endpoint: 'POST /calendars/primary/events',
          body: { summary: 'Holidays', start: { date: '2099-12-24' }, end: { date: '2099-12-28' } },
        },
      ],
      result: {
        created: true,
        event: {
          title: 'Holidays',
          start: '2099-12-24',
          end: '2099-12-27',
          location: '',
          description: '',
          attendees: [],
          link: textLike(/^https:\/\/www\.google\.com\/calendar\/event\?eid=\S+$/),
          id: anyText,
        },
      },
    },
    {
      tool: 'create_event',
      input: { title: 'Fair day', startTime: '2099-12-24', endTime: '2099-12-24' },
      requests: [
        {
          endpoint: 'POST /calendars/primary/events',
          body: { summary: 'Fair day', start: { date: '2099-12-24' }, end: { date: '2099-12-25' } },
        },
      ],
      result: {
        created: true,
        event: {
          title: 'Fair day',
          start: '2099-12-24',
          end: '2099-12-24',
          location: '',
          description: '',
          attendees: [],
          link: textLike(/^https:\/\/www\.google\.com\/calendar\/event\?eid=\S+$/),
          id: anyText,
        },
      },
    },
  ],
})
