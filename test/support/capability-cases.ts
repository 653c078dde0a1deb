export interface CapabilityCase {
  input?: Record<string, unknown>
  /** a text in the result: of the double's initial data, or of what the previous write created */
  finds: string
}

/** Every capability of every provider; writes come before the reads that should return them. */
export const capabilityCases: Record<string, Record<string, CapabilityCase>> = {
  gmail: {
    send_email: { input: { to: 'ann@example.org', subject: 'Contract', body: 'Hello' }, finds: 'Contract' },
    get_emails: { input: { query: 'subject:Contract', maxResults: 7 }, finds: 'Contract' },
  },
  'google-drive': {
    create_file: {
      input: { name: 'contract.md', content: '# Hello', mimeType: 'text/markdown' },
      finds: 'contract.md',
    },
    list_files: { input: { query: 'contract' }, finds: 'contract.md' },
  },
  hubspot: {
    get_contacts: { input: { limit: 1 }, finds: 'ann@example.org' },
    get_deals: { finds: 'Website relaunch' },
  },
  slack: {
    list_channels: { finds: 'general' },
    send_message: { input: { channel: '#random', text: 'Lunch & cake?' }, finds: 'random' },
    read_messages: { input: { channel: 'random' }, finds: 'Lunch & cake?' },
  },
  notion: {
    create_page: {
      input: { title: 'Offsite', content: 'Bring boots\n\nand a hat', parent: 'Team handbook' },
      finds: 'Team handbook',
    },
    search_pages: { input: { query: 'offsite' }, finds: 'Offsite' },
    read_page: { input: { page: 'Offsite' }, finds: 'and a hat' },
  },
  github: {
    list_repositories: { finds: 'ann/website' },
    create_issue: {
      input: { repository: 'ann/website', title: 'Dark mode', body: 'Too bright' },
      finds: 'Dark mode',
    },
    list_issues: { input: { repository: 'ann/website' }, finds: 'Dark mode' },
  },
  salesforce: {
    create_lead: {
      input: { lastName: "O'Hara", company: 'Tara 100%', email: 'ohara@example.org' },
      finds: "O'Hara",
    },
    find_records: { input: { kind: 'leads', query: "O'Hara" }, finds: 'Tara 100%' },
  },
  trello: {
    list_boards: { finds: 'Household' },
    create_card: { input: { name: 'Call the bank', list: 'done' }, finds: 'Done' },
    list_cards: { finds: 'Call the bank' },
  },
  discord: { list_servers: { finds: 'Board games' }, get_profile: { finds: 'Ann' } },
  airtable: {
    list_bases: { finds: 'Projects' },
    create_record: {
      input: { name: 'Website relaunch', fields: { Status: 'Todo' } },
      finds: 'Website relaunch',
    },
    list_records: { finds: 'Website relaunch' },
  },
  'google-calendar': {
    create_event: {
      input: { title: 'Lunch with Ann', startTime: '2099-12-01T12:00:00Z' },
      finds: 'Lunch with Ann',
    },
    list_events: { input: { from: '2099-12-01' }, finds: 'Lunch with Ann' },
  },
  shopify: {
    list_products: { input: { query: 'lamp' }, finds: '39.0 EUR' },
    list_orders: { finds: '#1001' },
  },
  stripe: {
    list_payments: { finds: '43.50 EUR' },
    create_customer: { input: { name: 'Ann & Lee', email: 'ann@example.org' }, finds: 'Ann & Lee' },
    list_customers: { input: { email: 'ann@example.org' }, finds: 'Ann & Lee' },
  },
  twilio: {
    send_sms: { input: { to: '+15550100300', body: 'Here & now' }, finds: 'queued' },
    list_messages: { finds: 'Here & now' },
  },
  zoom: {
    create_meeting: {
      input: { title: 'Retro', startTime: '2099-12-01T16:00:00+01:00', minutes: 45 },
      finds: 'https://zoom.us/j/',
    },
    list_meetings: { finds: 'Retro' },
  },
  mailchimp: {
    list_audiences: { finds: 'Newsletter' },
    add_subscriber: { input: { email: 'ann@example.org' }, finds: 'pending' },
    list_subscribers: { finds: 'ann@example.org' },
  },
  asana: {
    create_task: { input: { name: 'Book flights', dueDate: '2026-12-01' }, finds: 'Book flights' },
    list_tasks: { finds: 'Book flights' },
  },
  dropbox: {
    create_file: { input: { name: 'Grüße.txt', content: 'Hello', folder: '/Reports/' }, finds: 'Grüße.txt' },
    list_files: { input: { folder: '/Reports' }, finds: 'Grüße.txt' },
  },
  linkedin: {
    get_profile: { finds: 'Ann Example' },
    share_post: { input: { text: 'We are hiring', visibility: 'connections' }, finds: 'urn:li:share:' },
  },
  'microsoft-graph': {
    list_emails: { input: { query: 'contract' }, finds: 'Contract draft' },
    list_events: { finds: 'Budget meeting' },
    list_files: { input: { query: "budget's" }, finds: '"files":[]' },
  },
  jira: {
    create_issue: {
      input: { summary: 'Logo is blurry', text: 'On phones.\nOnly there.', project: 'web' },
      finds: 'https://example.atlassian.net/browse/WEB-2',
    },
    search_issues: { input: { query: 'logo' }, finds: 'Logo is blurry' },
  },
  confluence: {
    search_pages: { input: { query: 'on "boarding' }, finds: '"pages":[]' },
    read_page: { input: { pageId: '98765' }, finds: 'first week & more' },
  },
  figma: {
    read_file: {
      input: { link: 'https://www.figma.com/design/AbCdEf1234567890/Home?node-id=0-1' },
      finds: 'Hero',
    },
    list_comments: { input: { link: 'AbCdEf1234567890' }, finds: 'More air around the logo' },
  },
  intercom: {
    reply_to_conversation: { input: { conversationId: '4711', body: 'We are on it' }, finds: '4711' },
    list_conversations: { finds: 'We are on it' },
  },
  typeform: {
    list_forms: { finds: 'Customer survey' },
    list_responses: { input: { form: 'customer survey' }, finds: 'How was it?: Lovely, thank you' },
  },
  linear: {
    create_issue: { input: { title: 'Tabs jump', team: 'eng' }, finds: 'ENG-2' },
    list_issues: { input: { query: 'tabs' }, finds: 'Tabs jump' },
  },
  paypal: {
    create_invoice: {
      input: { email: 'ann@example.org', title: 'Consulting', amount: 120, currency: 'EUR' },
      finds: 'DRAFT',
    },
    list_invoices: { finds: '120.00 EUR' },
  },
}
