import { textLike, anyText, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

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

export const cases: ProviderCases = {
  roundTrips: {
    create_event: {
      input: { title: 'Lunch with Ann', startTime: '2099-12-01T12:00:00Z' },
      finds: 'Lunch with Ann',
    },
    list_events: { input: { from: '2099-12-01' }, finds: 'Lunch with Ann' },
  },
  reads: [['list_events', {}, 'Dentist']],
  requests: [
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
  responses: [
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
    // home-assistant/core#71902
    {
      tool: 'list_events',
      case: 'an event of a day that ends where it begins',
      responses: [
        [
          '/events',
          {
            items: [
              { id: '1', summary: 'Visit', start: { date: '2026-12-01' }, end: { date: '2026-12-01' } },
            ],
          },
        ],
      ],
      result: {
        events: [
          {
            title: 'Visit',
            start: '2026-12-01',
            end: '2026-12-01',
            location: '',
            description: '',
            attendees: [],
            id: '1',
          },
        ],
        more: false,
      },
    },
    {
      tool: 'list_events',
      case: 'no events',
      responses: [['/events', {}]],
      result: { events: [], more: false },
    },
  ],
  chat: {
    reads: [['List the events of my Google Calendar', 'list_events', 'Concert']],
    write: [
      'Create a Google Calendar event with the title "Concert" on 2026-12-24T19:00:00Z',
      'create_event',
      { title: 'Concert', startTime: '2026-12-24T19:00:00Z' },
    ],
  },
}
