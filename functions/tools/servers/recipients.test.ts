import { expect, it } from 'vitest'
import { listRecipients } from '../calls/recipients.ts'
import shownTools from './shown-tools.json' with { type: 'json' }

const own = { name: 'send' }

it('each argument of a built-in tool that writes is a recipient or a content', () => {
  const writing = shownTools.filter(({ writes }) => writes)
  const rows = writing.map(({ provider, name, parameters }) => {
    const args = Object.entries(parameters.properties).map(([one, { type }]: [string, { type?: string }]) => [
      one,
      type === 'number' || type === 'integer' ? 5 : `<${one}>`,
    ])
    const found = listRecipients(own, Object.fromEntries(args) as Record<string, unknown>)
    return `${provider} ${name}: ${found.map((one) => one.slice(1, -1)).join(' ')}`
  })
  expect(rows).toMatchInlineSnapshot(`
    [
      "gmail send_email: to",
      "slack send_message: channel",
      "notion create_page: parent",
      "github create_issue: repository",
      "salesforce create_lead: email",
      "trello create_card: board list",
      "airtable create_record: base table",
      "google-drive create_file: ",
      "google-calendar create_event: ",
      "stripe create_customer: email",
      "twilio send_sms: to from",
      "zoom create_meeting: ",
      "mailchimp add_subscriber: email audience",
      "asana create_task: workspace",
      "dropbox create_file: folder",
      "linkedin share_post: visibility",
      "jira create_issue: project site",
      "intercom reply_to_conversation: conversationid",
      "linear create_issue: team",
      "paypal create_invoice: email",
    ]
  `)
})
