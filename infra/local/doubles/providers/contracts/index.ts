import { airtable } from './airtable.ts'
import type { Contract } from './contract.ts'
import { discord } from './discord.ts'
import { github } from './github.ts'
import { gmail } from './gmail.ts'
import { googleCalendar } from './google-calendar.ts'
import { googleDrive } from './google-drive.ts'
import { hubspot } from './hubspot.ts'
import { notion } from './notion.ts'
import { salesforce } from './salesforce.ts'
import { shopify } from './shopify.ts'
import { slack } from './slack.ts'
import { stripe } from './stripe.ts'
import { trello } from './trello.ts'

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
}
