/* Written by `npm run integrations` from the folders of the integrations. */
import gmail from '../gmail/entry.json' with { type: 'json' }
import slack from '../slack/entry.json' with { type: 'json' }
import notion from '../notion/entry.json' with { type: 'json' }
import hubspot from '../hubspot/entry.json' with { type: 'json' }
import github from '../github/entry.json' with { type: 'json' }
import salesforce from '../salesforce/entry.json' with { type: 'json' }
import trello from '../trello/entry.json' with { type: 'json' }
import discord from '../discord/entry.json' with { type: 'json' }
import airtable from '../airtable/entry.json' with { type: 'json' }
import googleDrive from '../google-drive/entry.json' with { type: 'json' }
import googleCalendar from '../google-calendar/entry.json' with { type: 'json' }
import shopify from '../shopify/entry.json' with { type: 'json' }
import stripe from '../stripe/entry.json' with { type: 'json' }
import twilio from '../twilio/entry.json' with { type: 'json' }
import zoom from '../zoom/entry.json' with { type: 'json' }
import mailchimp from '../mailchimp/entry.json' with { type: 'json' }
import asana from '../asana/entry.json' with { type: 'json' }
import dropbox from '../dropbox/entry.json' with { type: 'json' }
import linkedin from '../linkedin/entry.json' with { type: 'json' }
import microsoftGraph from '../microsoft-graph/entry.json' with { type: 'json' }
import jira from '../jira/entry.json' with { type: 'json' }
import confluence from '../confluence/entry.json' with { type: 'json' }
import figma from '../figma/entry.json' with { type: 'json' }
import intercom from '../intercom/entry.json' with { type: 'json' }
import typeform from '../typeform/entry.json' with { type: 'json' }
import linear from '../linear/entry.json' with { type: 'json' }
import paypal from '../paypal/entry.json' with { type: 'json' }

export const entries = [
  gmail,
  slack,
  notion,
  hubspot,
  github,
  salesforce,
  trello,
  discord,
  airtable,
  googleDrive,
  googleCalendar,
  shopify,
  stripe,
  twilio,
  zoom,
  mailchimp,
  asana,
  dropbox,
  linkedin,
  microsoftGraph,
  jira,
  confluence,
  figma,
  intercom,
  typeform,
  linear,
  paypal,
]
