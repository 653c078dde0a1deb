import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { SESv2Client } from '@aws-sdk/client-sesv2'
import * as z from 'zod'
import { conversationRepository } from '../conversations/store/conversation-repository.ts'
import { runRepository } from '../conversations/store/run-repository.ts'
import { poolAccounts, readAttribute } from '../platform/auth/pool-accounts.ts'
import { clientTimeouts } from '../platform/client-timeouts.ts'
import { wait } from '../platform/clock.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { parseEnv } from '../platform/env.ts'
import { outboundHttp, parseAllowList } from '../platform/net/outbound-http.ts'
import { mailSender } from '../platform/send-mail.ts'
import { sealer } from '../platform/secrets/seal.ts'
import { secretStore } from '../platform/secrets/secret-store.ts'
import { loadSiteConfig } from '../platform/site-config.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { scheduleRepository } from '../schedules/schedule-repository.ts'
import { notifyRefusal } from './notify-refusal.ts'
import { notifyUser, type NotifyDeps } from './notify-user.ts'
import { openPageRepository } from './open-page.ts'
import { sendPush } from './send-push.ts'
import { subscriptionRepository } from './subscription-repository.ts'
import { vapidKey } from './vapid-key.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  USER_POOL_ID: z.string(),
  BRAND_NAME: z.string(),
  SEALING_KEY_SECRET: z.string(),
  /** address that SES may send from; without one there are no mails */
  MAIL_SENDER: z.string().optional(),
  OUTBOUND_ALLOW: z.string().optional(),
})
const table = openTable(env.TABLE_NAME)
const http = outboundHttp({ allow: parseAllowList(env.OUTBOUND_ALLOW) })
const key = vapidKey(table, sealer(secretStore(), env.SEALING_KEY_SECRET))
const accounts = poolAccounts(env.USER_POOL_ID, new CognitoIdentityProviderClient(clientTimeouts(5_000)))
const loadOrigin = async () => (await loadSiteConfig()).origin

const deps: NotifyDeps = {
  runs: runRepository(table),
  conversations: conversationRepository(table),
  settings: settingsRepository(table),
  openPages: openPageRepository(table),
  subscriptions: subscriptionRepository(table),
  async openSender() {
    const sign = await key.openSigner(await loadOrigin())
    return sign && ((subscription, message) => sendPush({ http, sign }, subscription, message))
  },
  sendMail:
    env.MAIL_SENDER === undefined
      ? undefined
      : mailSender(new SESv2Client(clientTimeouts(5_000)), {
          sender: env.MAIL_SENDER,
          brandName: env.BRAND_NAME,
        }),
  async findEmail(sub) {
    const { Attributes, Enabled } = await accounts.find(sub)
    return Enabled === false ? '' : readAttribute(Attributes, 'email')
  },
  brandName: env.BRAND_NAME,
  loadOrigin,
  sleep: wait,
  log: logger,
}

const replyEvent = z.strictObject({
  sub: z.string().min(1),
  sessionId: z.string().min(1),
  atMs: z.number(),
  scheduled: z.object({ notify: z.array(z.enum(['mail', 'push'])) }).optional(),
})

const refusalEvent = z.strictObject({ sub: z.string().min(1), scheduleId: z.string().min(1) })

/** Notifies a user of a reply that has ended or begins to wait, or of a schedule that did nothing at its time; invoked asynchronously. */
export function handler(event: unknown): Promise<void> {
  const refusal = refusalEvent.safeParse(event)
  return refusal.success
    ? notifyRefusal({ ...deps, schedules: scheduleRepository(table) }, refusal.data)
    : notifyUser(deps, replyEvent.parse(event))
}
