import type { PushReceiver } from '#shared/contracts/push.ts'
import { requireRecentSignIn } from '../platform/auth/recent-sign-in.ts'
import { sanitizeLine } from '../platform/sanitize-line.ts'
import type { ValidRequest } from '../platform/http/api-function.ts'
import type { OutboundHttp } from '../platform/net/outbound-http.ts'
import { fromBase64url, importReceiverKey, type ReceiverKeys } from './encrypt.ts'
import { NoPushKeys } from './errors.ts'
import type { OpenPageRepository } from './open-page.ts'
import {
  isSameSubscription,
  toReceiverId,
  type PushSubscription,
  type SubscriptionRepository,
} from './subscription-repository.ts'
import type { vapidKey } from './vapid-key.ts'

interface PushDeps {
  key: Pick<ReturnType<typeof vapidKey>, 'loadPublicKey'>
  subscriptions: Pick<SubscriptionRepository, 'add' | 'list' | 'remove' | 'removeById'>
  http: Pick<OutboundHttp, 'check'>
  openPages: Pick<OpenPageRepository, 'note'>
}

const authBytes = 16
const maxUserAgentCharacters = 300

/** The endpoint itself is a secret of its browser. */
const toReceiver = ({ endpoint, user_agent, created_at }: PushSubscription): PushReceiver => ({
  id: toReceiverId(endpoint),
  host: new URL(endpoint).host,
  ...(user_agent !== undefined && { user_agent }),
  created_at,
})

/** @throws NoPushKeys */
async function checkKeys({ p256dh, auth }: ReceiverKeys): Promise<ReceiverKeys> {
  if (fromBase64url(auth).length !== authBytes) throw new NoPushKeys('the secret has another length')
  await importReceiverKey(p256dh).catch((cause: unknown) => {
    throw new NoPushKeys('the key is no point of the curve', { cause })
  })
  const normalise = (text: string) => Buffer.from(text, 'base64url').toString('base64url')
  return { p256dh: normalise(p256dh), auth: normalise(auth) }
}

/** The routes by which a browser subscribes to notifications. */
export const pushHandlers = ({ key, subscriptions, http, openPages }: PushDeps) => ({
  'push.key': async ({ user }: ValidRequest<'push.key'>) => {
    const [publicKey, found] = await Promise.all([key.loadPublicKey(), subscriptions.list(user.sub)])
    return { publicKey, receivers: found.map(toReceiver).toReversed() }
  },

  /**
   * A browser that is there already may say so again at any time.
   * @throws AddressForbidden, NoPushKeys, SignInTooOld: a receiver that a stolen session adds would outlive it
   */
  'push.subscribe': async ({ user, headers, body }: ValidRequest<'push.subscribe'>) => {
    const { endpoint } = body
    http.check(endpoint)
    const keys = await checkKeys(body.keys)
    const isKnown = (await subscriptions.list(user.sub)).some((one) =>
      isSameSubscription(one, { endpoint, keys }),
    )
    if (!isKnown) requireRecentSignIn(user, Date.now())
    const user_agent = sanitizeLine(headers['user-agent'] ?? '', maxUserAgentCharacters)
    await subscriptions.add(user.sub, { endpoint, keys, ...(user_agent && { user_agent }) })
    return { success: true as const }
  },

  'push.unsubscribe': async ({ user, body }: ValidRequest<'push.unsubscribe'>) => {
    const { id, endpoint = '' } = body
    await (id === undefined
      ? subscriptions.remove(user.sub, endpoint)
      : subscriptions.removeById(user.sub, id))
    return { success: true as const }
  },

  'push.pageOpen': async ({ user, body }: ValidRequest<'push.pageOpen'>) => {
    await openPages.note(user.sub, body.language, Date.now())
    return { success: true as const }
  },
})
