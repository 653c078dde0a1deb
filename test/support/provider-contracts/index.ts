import { airtable } from './airtable.ts'
import { asana } from './asana.ts'
import { confluence } from './confluence.ts'
import type { Contract } from './contract.ts'
import { discord } from './discord.ts'
import { dropbox } from './dropbox.ts'
import { figma } from './figma.ts'
import { github } from './github.ts'
import { gmail } from './gmail.ts'
import { googleCalendar } from './google-calendar.ts'
import { googleDrive } from './google-drive.ts'
import { hubspot } from './hubspot.ts'
import { intercom } from './intercom.ts'
import { jira } from './jira.ts'
import { linear } from './linear.ts'
import { linkedin } from './linkedin.ts'
import { mailchimp } from './mailchimp.ts'
import { microsoftGraph } from './microsoft-graph.ts'
import { notion } from './notion.ts'
import { paypal } from './paypal.ts'
import { salesforce } from './salesforce.ts'
import { shopify } from './shopify.ts'
import { slack } from './slack.ts'
import { stripe } from './stripe.ts'
import { trello } from './trello.ts'
import { twilio } from './twilio.ts'
import { typeform } from './typeform.ts'
import { zoom } from './zoom.ts'

/** By provider. */
export const contracts: Readonly<Record<string, Contract>> = {
  gmail,
  'google-drive': googleDrive,
  'google-calendar': googleCalendar,
  slack,
  notion,
  hubspot,
  github,
  salesforce,
  trello,
  discord,
  airtable,
  shopify,
  stripe,
  twilio,
  zoom,
  mailchimp,
  asana,
  dropbox,
  linkedin,
  'microsoft-graph': microsoftGraph,
  jira,
  confluence,
  figma,
  intercom,
  typeform,
  linear,
  paypal,
}
