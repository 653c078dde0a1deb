import { textLike, anyText, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

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

export const cases: ProviderCases = {
  roundTrips: {
    create_meeting: {
      input: { title: 'Retro', startTime: '2099-12-01T16:00:00+01:00', minutes: 45 },
      finds: 'https://zoom.us/j/',
    },
    list_meetings: { finds: 'Retro' },
  },
  requests: [
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
  responses: [
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
  chat: {
    reads: [['List my Zoom meetings', 'list_meetings', 'Retro']],
    write: [
      'Create a Zoom meeting with the title "Retro" at 2099-12-01T15:00:00Z',
      'create_meeting',
      { title: 'Retro' },
    ],
  },
}
