import { anyText, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

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

export const cases: ProviderCases = {
  roundTrips: {
    send_sms: { input: { to: '+15550100300', body: 'Here & now' }, finds: 'queued' },
    list_messages: { finds: 'Here & now' },
  },
  requests: [
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
  responses: [
    {
      tool: 'list_messages',
      case: 'null in every field that may have it',
      responses: [
        [
          '/Messages.json',
          {
            messages: [
              {
                sid: null,
                from: null,
                to: null,
                body: null,
                status: 'queued',
                direction: 'inbound',
                date_sent: null,
              },
            ],
            next_page_uri: null,
          },
        ],
      ],
      result: {
        messages: [
          { from: null, to: null, text: '', status: 'queued', direction: 'inbound', at: null, id: null },
        ],
        more: false,
      },
    },
    {
      tool: 'send_sms',
      input: { to: '+15550100300', body: 'x' },
      case: 'no phone number to send from',
      responses: [
        ['/IncomingPhoneNumbers.json', { incoming_phone_numbers: [{ sid: 'PN1', phone_number: null }] }],
      ],
      error: 'There is no phone number that this account may use.',
    },
    {
      tool: 'list_messages',
      case: 'messages with most fields missing, and more pages',
      responses: [
        [
          '/Messages.json',
          {
            messages: [
              { sid: '1', to: '+1', status: 'queued' },
              {
                sid: '2',
                from: '+2',
                to: '+1',
                status: 'sent',
                body: 'x'.repeat(800),
                date_sent: 'Wed, 18 Nov 2026 09:00:00 +0000',
              },
            ],
            next_page_uri: '/2',
          },
        ],
      ],
      result: {
        messages: [
          { from: null, to: '+1', text: '', status: 'queued', at: null, id: '1' },
          {
            from: '+2',
            to: '+1',
            text: `${'x'.repeat(500)}…`,
            status: 'sent',
            at: '2026-11-18T09:00:00.000Z',
            id: '2',
          },
        ],
        more: true,
      },
    },
    {
      tool: 'list_messages',
      case: 'no field for further pages',
      responses: [['/Messages.json', { messages: [] }]],
      result: { messages: [], more: false },
    },
    {
      tool: 'list_messages',
      case: 'an invalid date',
      responses: [
        ['/Messages.json', { messages: [{ sid: '1', to: '+1', status: 'queued', date_sent: 'soon' }] }],
      ],
      result: {
        messages: [{ from: null, to: '+1', text: '', status: 'queued', at: 'soon', id: '1' }],
        more: false,
      },
    },
    {
      tool: 'send_sms',
      input: { to: '+15550100300', body: 'x' },
      case: 'an account with two numbers',
      responses: [
        [
          '/IncomingPhoneNumbers.json',
          {
            incoming_phone_numbers: [
              { sid: '1', phone_number: '+11' },
              { sid: '2', phone_number: '+12' },
            ],
          },
        ],
      ],
      error: 'Which phone number? There are "+11", "+12".',
    },
  ],
  chat: {
    reads: [['List the SMS messages in Twilio', 'list_messages', 'Parcel is here']],
    write: [
      'Send an SMS with Twilio to +15550100300 saying Parcel is here',
      'send_sms',
      { to: '+15550100300', body: 'Parcel is here' },
    ],
  },
}
