import * as z from 'zod'
import { success } from '#shared/contracts/success.ts'

/** Base64 in either alphabet: browsers and libraries differ. */
const base64 = z.string().regex(/^[A-Za-z0-9_+/-]{1,200}={0,2}$/)
const endpoint = z.url().max(2_000)

/** What `PushSubscription.toJSON()` of a browser says. */
export const pushSubscribe = z.strictObject({
  endpoint,
  keys: z.object({ p256dh: base64, auth: base64 }),
  expirationTime: z.number().nullish(),
})
export const pushUnsubscribe = z.strictObject({ endpoint: z.string().max(2_000) })
/** The key for `applicationServerKey`, base64url. */
export const pushKey = z.object({ publicKey: z.string() })

/** Of a page that the user sees; `language` as in the settings. */
export const pageOpen = z.strictObject({ language: z.string().regex(/^[a-z]{2}(?:-[A-Z]{2})?$/) })

export const pushContracts = {
  'push.key': { response: pushKey },
  'push.subscribe': { request: pushSubscribe, response: success },
  'push.unsubscribe': { request: pushUnsubscribe, response: success },
  'push.pageOpen': { request: pageOpen, response: success },
} as const
