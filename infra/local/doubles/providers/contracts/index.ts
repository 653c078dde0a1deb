import type { Contract } from './contract.ts'
import { asana } from './asana.ts'
import { confluence } from './confluence.ts'
import { dropbox } from './dropbox.ts'
import { figma } from './figma.ts'
import { intercom } from './intercom.ts'
import { jira } from './jira.ts'
import { linear } from './linear.ts'
import { linkedin } from './linkedin.ts'
import { mailchimp } from './mailchimp.ts'
import { microsoftGraph } from './microsoft-graph.ts'
import { paypal } from './paypal.ts'
import { twilio } from './twilio.ts'
import { typeform } from './typeform.ts'
import { zoom } from './zoom.ts'
import { slack } from './slack.ts'

/** By provider. */
export const contracts: Readonly<Record<string, Contract>> = {
  slack,
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
