import { expect } from 'vitest'

export interface CapabilityCase {
  /** what the stand-in has from the beginning, or what the write before it wrote */
  finds: string
  input?: Record<string, unknown>
  /** a request in the form that the provider documents: method, address behind the API root, body */
  asks: string | RegExp
  body?: unknown
  headers?: Record<string, string>
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const cloud = '9d1f6a52-0000-4000-8000-1c1c1c1c1c1c'

/** Every capability of every provider, writes before the reads that are to see them. */
export const capabilityCases: Record<string, Record<string, CapabilityCase>> = {
  gmail: {
    send_email: {
      input: { to: 'ann@example.org', subject: 'Contract', body: 'Hello' },
      asks: 'POST /users/me/messages/send',
      finds: 'Contract',
    },
    get_emails: {
      input: { query: 'subject:Contract' },
      asks: /^GET \/users\/me\/messages\/\S+\?format=metadata/,
      finds: 'Contract',
    },
  },
  'google-drive': {
    create_file: {
      input: { name: 'contract.txt', content: 'Hello' },
      asks: /^POST \/upload\/files\?uploadType=multipart/,
      finds: 'contract.txt',
    },
    list_files: { input: { query: 'contract' }, asks: /^GET \/files\?pageSize=20&q=/, finds: 'contract.txt' },
  },
  hubspot: {
    get_contacts: {
      input: { limit: 1 },
      asks: /^GET \/crm\/objects\/2026-03\/contacts\?limit=1&properties=/,
      finds: 'ann@example.org',
    },
    get_deals: { asks: /deals/, finds: 'Website relaunch' },
  },
  slack: {
    list_channels: {
      asks: 'GET /conversations.list?types=public_channel&exclude_archived=true&limit=50',
      finds: 'general',
    },
    send_message: {
      input: { channel: '#random', text: 'Lunch & cake?' },
      asks: 'POST /chat.postMessage',
      body: { channel: 'C02RANDOM', text: 'Lunch & cake?' },
      finds: 'random',
    },
    read_messages: {
      input: { channel: 'random' },
      asks: 'GET /conversations.history?channel=C02RANDOM&limit=20',
      finds: 'Lunch & cake?',
    },
  },
  notion: {
    create_page: {
      input: { title: 'Offsite', content: 'Bring boots\n\nand a hat', parent: 'Team handbook' },
      asks: 'POST /pages',
      body: {
        parent: { page_id: '11111111-2222-4333-8444-555555555555' },
        properties: { title: { title: [{ text: { content: 'Offsite' } }] } },
        children: ['Bring boots', 'and a hat'].map((content) => ({
          object: 'block',
          type: 'paragraph',
          paragraph: { rich_text: [{ type: 'text', text: { content } }] },
        })),
      },
      headers: { 'Notion-Version': '2022-06-28', authorization: 'Bearer right-apiKey' },
      finds: 'Team handbook',
    },
    search_pages: { input: { query: 'offsite' }, asks: 'POST /search', finds: 'Offsite' },
    read_page: {
      input: { page: 'Offsite' },
      asks: /^GET \/blocks\/[-\w]+\/children\?page_size=100$/,
      finds: 'and a hat',
    },
  },
  github: {
    list_repositories: { asks: 'GET /user/repos?sort=updated&per_page=20', finds: 'ann/website' },
    create_issue: {
      input: { repository: 'ann/website', title: 'Dark mode', body: 'Too bright' },
      asks: 'POST /repos/ann/website/issues',
      body: { title: 'Dark mode', body: 'Too bright' },
      headers: { 'user-agent': 'juno-assistant', 'x-github-api-version': '2022-11-28' },
      finds: 'Dark mode',
    },
    list_issues: {
      input: { repository: 'ann/website' },
      asks: 'GET /repos/ann/website/issues?state=open&sort=updated&per_page=20',
      finds: 'Dark mode',
    },
  },
  salesforce: {
    create_lead: {
      input: { lastName: "O'Hara", company: 'Tara 100%', email: 'ohara@example.org' },
      asks: 'POST /sobjects/Lead',
      body: { LastName: "O'Hara", Company: 'Tara 100%', Email: 'ohara@example.org' },
      finds: "O'Hara",
    },
    find_records: {
      input: { kind: 'leads', query: "O'Hara" },
      asks: `GET /query?${form({ q: "SELECT Id, Name, Company, Email, Status FROM Lead WHERE Name LIKE '%O\\'Hara%' ORDER BY LastModifiedDate DESC LIMIT 20" })}`,
      finds: 'Tara 100%',
    },
  },
  trello: {
    list_boards: { asks: 'GET /members/me/boards?filter=open&fields=name%2Curl', finds: 'Household' },
    create_card: {
      input: { name: 'Call the bank', list: 'done' },
      asks: 'POST /cards',
      body: { idList: 'l2', name: 'Call the bank', desc: '', pos: 'bottom' },
      headers: { authorization: 'OAuth oauth_consumer_key="right-apiKey", oauth_token="right-apiToken"' },
      finds: 'Done',
    },
    list_cards: { asks: /^GET \/boards\/b1\/cards/, finds: 'Call the bank' },
  },
  discord: {
    list_servers: { asks: 'GET /users/@me/guilds?limit=50&with_counts=true', finds: 'Board games' },
    get_profile: { asks: 'GET /users/@me', finds: 'Ann' },
  },
  airtable: {
    list_bases: { asks: 'GET /meta/bases', finds: 'Projects' },
    create_record: {
      input: { name: 'Website relaunch', fields: { Status: 'Todo' } },
      asks: 'POST /appAAAAAAAAAAAAA1/tblAAAAAAAAAAAAA1',
      body: { fields: { Status: 'Todo', Title: 'Website relaunch' }, typecast: true },
      finds: 'Website relaunch',
    },
    list_records: { asks: 'GET /appAAAAAAAAAAAAA1/tblAAAAAAAAAAAAA1?pageSize=20', finds: 'Website relaunch' },
  },
  'google-calendar': {
    create_event: {
      input: { title: 'Lunch with Ann', startTime: '2099-12-01T12:00:00Z' },
      asks: 'POST /calendars/primary/events',
      body: {
        summary: 'Lunch with Ann',
        start: { dateTime: '2099-12-01T12:00:00Z' },
        end: { dateTime: '2099-12-01T13:00:00.000Z' },
      },
      finds: 'Lunch with Ann',
    },
    list_events: {
      input: { from: '2099-12-01' },
      asks: /^GET \/calendars\/primary\/events\?singleEvents=true&orderBy=startTime&timeMin=2099-12-01T00/,
      finds: 'Lunch with Ann',
    },
  },
  shopify: {
    list_products: {
      input: { query: 'lamp' },
      asks: 'POST ',
      headers: { 'X-Shopify-Access-Token': expect.any(String) as string },
      finds: '39.0 EUR',
    },
    list_orders: { asks: 'POST ', finds: '#1001' },
  },
  stripe: {
    list_payments: { asks: 'GET /payment_intents?limit=20', finds: '43.50 EUR' },
    create_customer: {
      input: { name: 'Ann & Lee', email: 'ann@example.org' },
      asks: 'POST /customers',
      body: form({ name: 'Ann & Lee', email: 'ann@example.org' }),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': expect.any(String) as string,
      },
      finds: 'Ann & Lee',
    },
    list_customers: {
      input: { email: 'ann@example.org' },
      asks: 'GET /customers?email=ann%40example.org&limit=20',
      finds: 'Ann & Lee',
    },
  },
  twilio: {
    send_sms: {
      input: { to: '+15550100300', body: 'Here & now' },
      asks: 'POST /Accounts/right-accountSid/Messages.json',
      body: form({ To: '+15550100300', From: '+15550100000', Body: 'Here & now' }),
      headers: {
        authorization: `Basic ${Buffer.from('right-apiKeySid:right-apiKeySecret').toString('base64')}`,
      },
      finds: 'queued',
    },
    list_messages: { asks: 'GET /Accounts/right-accountSid/Messages.json?PageSize=20', finds: 'Here & now' },
  },
  zoom: {
    create_meeting: {
      input: { title: 'Retro', startTime: '2099-12-01T16:00:00+01:00', minutes: 45 },
      asks: 'POST /users/me/meetings',
      body: { topic: 'Retro', type: 2, start_time: '2099-12-01T15:00:00Z', duration: 45 },
      finds: 'https://zoom.us/j/',
    },
    list_meetings: { asks: 'GET /users/me/meetings?type=upcoming&page_size=20', finds: 'Retro' },
  },
  mailchimp: {
    list_audiences: { asks: /^GET \/lists\?count=20/, finds: 'Newsletter' },
    add_subscriber: {
      input: { email: 'ann@example.org' },
      asks: 'POST /lists/a1b2c3/members',
      body: { email_address: 'ann@example.org', status: 'pending' },
      finds: 'pending',
    },
    list_subscribers: { asks: /^GET \/lists\/a1b2c3\/members\?count=20/, finds: 'ann@example.org' },
  },
  asana: {
    create_task: {
      input: { name: 'Book flights', dueDate: '2026-12-01' },
      asks: /^POST \/tasks\?opt_fields=/,
      body: {
        data: { name: 'Book flights', notes: '', due_on: '2026-12-01', assignee: 'me', workspace: '1' },
      },
      finds: 'Book flights',
    },
    list_tasks: {
      asks: /^GET \/tasks\?assignee=me&workspace=1&completed_since=now&limit=20/,
      finds: 'Book flights',
    },
  },
  dropbox: {
    create_file: {
      input: { name: 'Grüße.txt', content: 'Hello', folder: '/Reports/' },
      asks: 'POST /content/files/upload',
      body: 'Hello',
      headers: {
        'content-type': 'application/octet-stream',
        'dropbox-api-arg': '{"path":"/Reports/Gr\\u00fc\\u00dfe.txt","mode":"add","autorename":true}',
      },
      finds: 'Grüße.txt',
    },
    list_files: {
      input: { folder: '/Reports' },
      asks: 'POST /files/list_folder',
      body: { path: '/Reports', limit: 20 },
      finds: 'Grüße.txt',
    },
  },
  linkedin: {
    get_profile: { asks: 'GET /v2/userinfo', finds: 'Ann Example' },
    share_post: {
      input: { text: 'We are hiring', visibility: 'connections' },
      asks: 'POST /v2/ugcPosts',
      body: {
        author: 'urn:li:person:782bbtaQ',
        lifecycleState: 'PUBLISHED',
        specificContent: {
          'com.linkedin.ugc.ShareContent': {
            shareCommentary: { text: 'We are hiring' },
            shareMediaCategory: 'NONE',
          },
        },
        visibility: { 'com.linkedin.ugc.MemberNetworkVisibility': 'CONNECTIONS' },
      },
      headers: { 'x-restli-protocol-version': '2.0.0' },
      finds: 'urn:li:share:',
    },
  },
  'microsoft-graph': {
    list_emails: {
      input: { query: 'contract' },
      asks: /^GET \/me\/messages\?%24top=10&.*%24search=%22contract%22$/,
      finds: 'Contract draft',
    },
    list_events: {
      asks: /^GET \/me\/calendarView\?startDateTime=/,
      headers: { prefer: 'outlook.timezone="UTC"' },
      finds: 'Budget meeting',
    },
    list_files: {
      input: { query: "budget's" },
      asks: /^GET \/me\/drive\/root\/search\(q='budget''s'\)\?/,
      finds: '"files":[]',
    },
  },
  jira: {
    create_issue: {
      input: { summary: 'Logo is blurry', text: 'On phones.\nOnly there.', project: 'web' },
      asks: `POST /${cloud}/rest/api/3/issue`,
      body: {
        fields: {
          project: { key: 'WEB' },
          issuetype: { name: 'Task' },
          summary: 'Logo is blurry',
          description: {
            type: 'doc',
            version: 1,
            content: ['On phones.', 'Only there.'].map((text) => ({
              type: 'paragraph',
              content: [{ type: 'text', text }],
            })),
          },
        },
      },
      finds: 'https://example.atlassian.net/browse/WEB-2',
    },
    search_issues: {
      input: { query: 'logo' },
      asks: `GET /${cloud}/rest/api/3/search/jql?${form({ jql: 'text ~ "logo" ORDER BY updated DESC', fields: 'summary,status,priority,assignee,updated', maxResults: '20' })}`,
      finds: 'Logo is blurry',
    },
  },
  confluence: {
    search_pages: {
      input: { query: 'on "boarding' },
      asks: `GET /${cloud}/wiki/rest/api/search?${form({ cql: 'type = page AND siteSearch ~ "on \\"boarding"', limit: '20' })}`,
      finds: '"pages":[]',
    },
    read_page: {
      input: { pageId: '98765' },
      asks: `GET /${cloud}/wiki/rest/api/content/98765?expand=body.storage`,
      finds: 'first week & more',
    },
  },
  figma: {
    read_file: {
      input: { link: 'https://www.figma.com/design/AbCdEf1234567890/Home?node-id=0-1' },
      asks: 'GET /files/AbCdEf1234567890?depth=1',
      finds: 'Hero',
    },
    list_comments: {
      input: { link: 'AbCdEf1234567890' },
      asks: 'GET /files/AbCdEf1234567890/comments',
      finds: 'More air around the logo',
    },
  },
  intercom: {
    reply_to_conversation: {
      input: { conversationId: '4711', body: 'We are on it' },
      asks: 'POST /conversations/4711/reply',
      body: { message_type: 'comment', type: 'admin', admin_id: '100', body: 'We are on it' },
      headers: { 'intercom-version': '2.13' },
      finds: '4711',
    },
    list_conversations: { asks: 'GET /conversations?per_page=20', finds: 'We are on it' },
  },
  typeform: {
    list_forms: { asks: 'GET /forms?page_size=20', finds: 'Customer survey' },
    list_responses: {
      input: { form: 'customer survey' },
      asks: 'GET /forms/u6nXL7/responses?page_size=20',
      finds: 'How was it?: Lovely, thank you',
    },
  },
  linear: {
    create_issue: { input: { title: 'Tabs jump', team: 'eng' }, asks: 'POST ', finds: 'ENG-2' },
    list_issues: { input: { query: 'tabs' }, asks: 'POST ', finds: 'Tabs jump' },
  },
  paypal: {
    create_invoice: {
      input: { email: 'ann@example.org', title: 'Consulting', amount: 120, currency: 'EUR' },
      asks: 'POST /v2/invoicing/invoices',
      body: {
        detail: { currency_code: 'EUR' },
        primary_recipients: [{ billing_info: { email_address: 'ann@example.org' } }],
        items: [
          { name: 'Consulting', quantity: '1', unit_amount: { currency_code: 'EUR', value: '120.00' } },
        ],
      },
      headers: { prefer: 'return=representation' },
      finds: 'DRAFT',
    },
    list_invoices: {
      asks: 'GET /v2/invoicing/invoices?page=1&page_size=20&total_required=true',
      finds: '120.00 EUR',
    },
  },
}
