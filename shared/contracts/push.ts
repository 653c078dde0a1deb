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
/** By the endpoint, which its browser knows, or by the id of the list. */
export const pushUnsubscribe = z
  .strictObject({ endpoint: z.string().max(2_000).optional(), id: z.string().max(100).optional() })
  .refine(({ endpoint: address, id }) => (address === undefined) !== (id === undefined))
/** A browser that gets push messages, as its user sees it: where they are sent (host), and what it called itself when it was added. */
export const pushReceiver = z.object({
  id: z.string(),
  host: z.string(),
  user_agent: z.string().optional(),
  created_at: z.string(),
})
export type PushReceiver = z.infer<typeof pushReceiver>
/** The key for `applicationServerKey`, base64url, and the browsers of the caller, newest first. */
export const pushKey = z.object({ publicKey: z.string(), receivers: z.array(pushReceiver) })

/** Of a page that the user sees; `language` as in the settings. */
export const pageOpen = z.strictObject({ language: z.string().regex(/^[a-z]{2}(?:-[A-Z]{2})?$/) })

/** `push.subscribe` of one that is not there yet: 403 `sign_in_again` if the sign-in is more than 15 minutes old. */
export const pushContracts = {
  'push.key': { response: pushKey },
  'push.subscribe': { request: pushSubscribe, response: success },
  'push.unsubscribe': { request: pushUnsubscribe, response: success },
  'push.pageOpen': { request: pageOpen, response: success },
} as const
