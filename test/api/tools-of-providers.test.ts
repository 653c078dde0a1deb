import { describe, expect, it } from 'vitest'
import { builtInProviders } from '../../functions/providers/built-in.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()
const ann = await stack.newUser({ name: 'Ann' })
for (const { id } of builtInProviders) await connectProvider(stack, ann, id)

const question = (content: string) => ({
  messages: [{ role: 'user' as const, content }],
  sessionId: crypto.randomUUID(),
  messageId: crypto.randomUUID(),
})

/** Sends a request, and approves what needs an approval. */
async function ask(content: string) {
  const body = question(content)
  const first = await ann.call('chat.send', { body })
  const { run } = await ann.call('sessions.read', { params: { sessionId: body.sessionId } })
  const [pendingQuestion] = run?.questions ?? []
  if (!run || !pendingQuestion) return { ...first, pendingQuestion: undefined }
  const response = await ann.call('runs.answer', {
    params: { sessionId: body.sessionId },
    body: { runId: run.run_id, callId: pendingQuestion.call_id, approved: true },
  })
  return { ...response, pendingQuestion }
}

/** In a user's words: a read, which finds what the write created if there is one. */
const expectations: [
  provider: string,
  reads: [message: string, tool: string, found: string][],
  write?: [string, string, Record<string, unknown>],
][] = [
  [
    'gmail',
    [['Show my Gmail emails with "Reports for you"', 'get_emails', 'Reports for you']],
    [
      'Send a Gmail email to ann@example.org with the subject "Reports for you" saying "Here they are"',
      'send_email',
      { to: 'ann@example.org', subject: 'Reports for you' },
    ],
  ],
  [
    'google-drive',
    [['List the files in Google Drive', 'list_files', 'minutes.txt']],
    [
      'Create a Google Drive file called "minutes.txt" saying "All were there"',
      'create_file',
      { name: 'minutes.txt' },
    ],
  ],
  ['hubspot', [['Show my HubSpot deals', 'get_deals', 'Website relaunch']]],
  [
    'slack',
    [['Read the messages in the "general" channel on Slack', 'read_messages', 'Lunch is ready']],
    [
      'Send a message to the "general" channel on Slack saying Lunch is ready',
      'send_message',
      { channel: 'general', text: 'Lunch is ready' },
    ],
  ],
  [
    'notion',
    [['Search the Notion pages for "Packing"', 'search_pages', 'Packing']],
    ['Create a Notion page with the title "Packing"', 'create_page', { title: 'Packing' }],
  ],
  [
    'github',
    [
      ['List my GitHub repositories', 'list_repositories', 'ann/website'],
      ['List the GitHub issues of "ann/website"', 'list_issues', 'Sitemap is old'],
    ],
    [
      'Create a GitHub issue in ann/website with the title "Sitemap is old"',
      'create_issue',
      { repository: 'ann/website', title: 'Sitemap is old' },
    ],
  ],
  [
    'salesforce',
    [['List the leads in Salesforce', 'find_records', 'Marsh']],
    ['Create a Salesforce lead with the last name "Marsh"', 'create_lead', { lastName: 'Marsh' }],
  ],
  [
    'trello',
    [['List the cards on my Trello board', 'list_cards', 'Water the plants']],
    ['Create a Trello card with the name "Water the plants"', 'create_card', { name: 'Water the plants' }],
  ],
  ['discord', [['Which Discord servers am I in?', 'list_servers', 'Board games']]],
  [
    'airtable',
    [['List the records in Airtable', 'list_records', 'Order chairs']],
    ['Create an Airtable record with the name "Order chairs"', 'create_record', { name: 'Order chairs' }],
  ],
  [
    'google-calendar',
    [['List the events of my Google Calendar', 'list_events', 'Concert']],
    [
      'Create a Google Calendar event with the title "Concert" on 2026-12-24T19:00:00Z',
      'create_event',
      { title: 'Concert', startTime: '2026-12-24T19:00:00Z' },
    ],
  ],
  ['shopify', [['Show the products of my Shopify shop', 'list_products', 'Desk lamp']]],
  [
    'stripe',
    [['List the customers in Stripe', 'list_customers', 'Dora Fox']],
    [
      'Create a Stripe customer with the name "Dora Fox" and the email dora@example.org',
      'create_customer',
      { name: 'Dora Fox', email: 'dora@example.org' },
    ],
  ],
  [
    'twilio',
    [['List the SMS messages in Twilio', 'list_messages', 'Parcel is here']],
    [
      'Send an SMS with Twilio to +15550100300 saying Parcel is here',
      'send_sms',
      { to: '+15550100300', body: 'Parcel is here' },
    ],
  ],
  [
    'zoom',
    [['List my Zoom meetings', 'list_meetings', 'Retro']],
    [
      'Create a Zoom meeting with the title "Retro" at 2099-12-01T15:00:00Z',
      'create_meeting',
      { title: 'Retro' },
    ],
  ],
  [
    'mailchimp',
    [['List the subscribers of my Mailchimp audience', 'list_subscribers', 'finn@example.org']],
    ['Add the subscriber finn@example.org to Mailchimp', 'add_subscriber', { email: 'finn@example.org' }],
  ],
  [
    'asana',
    [['List my tasks in Asana', 'list_tasks', 'Renew passport']],
    ['Create an Asana task with the name "Renew passport"', 'create_task', { name: 'Renew passport' }],
  ],
  [
    'dropbox',
    [['List the files in Dropbox', 'list_files', 'ideas.txt']],
    [
      'Create a Dropbox file with the name "ideas.txt" and the content: more colours',
      'create_file',
      { name: 'ideas.txt' },
    ],
  ],
  [
    'linkedin',
    [['Read my LinkedIn profile', 'get_profile', 'Ann Example']],
    ['Share a post on LinkedIn saying We are hiring', 'share_post', { text: 'We are hiring' }],
  ],
  [
    'microsoft-graph',
    [
      ['Show my Outlook emails in Microsoft Graph', 'list_emails', 'Contract draft'],
      ['List the OneDrive files in Microsoft Graph', 'list_files', 'Budget 2027.xlsx'],
    ],
  ],
  [
    'jira',
    [['Search the Jira issues for "Footer"', 'search_issues', 'Footer overlaps']],
    ['Create a Jira issue with the title "Footer overlaps"', 'create_issue', { summary: 'Footer overlaps' }],
  ],
  ['confluence', [['Search the Confluence pages for "Onboarding"', 'search_pages', 'Onboarding']]],
  [
    'figma',
    [['Read the Figma file https://www.figma.com/design/AbCdEf1234567890/Home', 'read_file', 'Hero']],
  ],
  [
    'intercom',
    [['List the conversations in Intercom', 'list_conversations', 'We are on it']],
    [
      'Reply to the Intercom conversation "4711" saying We are on it',
      'reply_to_conversation',
      { conversationId: '4711', body: 'We are on it' },
    ],
  ],
  ['typeform', [['List the forms in Typeform', 'list_forms', 'Customer survey']]],
  [
    'linear',
    [['List the issues in Linear', 'list_issues', 'Tabs jump']],
    ['Create a Linear issue with the title "Tabs jump"', 'create_issue', { title: 'Tabs jump' }],
  ],
  [
    'paypal',
    [['List my PayPal invoices', 'list_invoices', 'gus@example.org']],
    [
      'Create a PayPal invoice with the title "Consulting" over 120 for gus@example.org',
      'create_invoice',
      { email: 'gus@example.org', amount: 120 },
    ],
  ],
]

it('CAP-01 has a case for every provider', () => {
  expect(expectations.map(([id]) => id).toSorted()).toEqual(builtInProviders.map(({ id }) => id).toSorted())
})

it('CAP-01 an entry lists its tools before it is connected', async () => {
  const { entry } = await ann.call('registry.one', { params: { entryId: 'trello' } })
  expect(entry.tools).toEqual(['List boards', 'List cards', 'Create a card'])
})

const writes = expectations.flatMap(
  ([provider, , write]): [string, string, string, Record<string, unknown>][] =>
    write ? [[provider, ...write]] : [],
)
const reads = expectations.flatMap(([provider, all]) =>
  all.map((one): [string, string, string, string] => [provider, ...one]),
)

// with this many tools the model gets a search instead of the definitions
const searchCall = { tool: 'search_tools', result: { success: true } }

describe('CAP-01 in chat, with everything connected', () => {
  it.each(writes)('%s: "%s"', async (provider, message, id, parameters) => {
    const tool = `${provider}_${id}`
    const { pendingQuestion, toolCalls } = await ask(message)
    expect(pendingQuestion).toMatchObject({ kind: 'approval', tool, arguments: parameters })
    expect(toolCalls).toMatchObject([searchCall, { tool, parameters, result: { success: true } }])
  })

  it.each(reads)('%s: "%s"', async (provider, message, id, found) => {
    const { content, toolCalls } = await ask(message)
    expect(toolCalls).toMatchObject([searchCall, { tool: `${provider}_${id}`, result: { success: true } }])
    expect(content).toContain(found)
  })
})
