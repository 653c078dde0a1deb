import type { ValidRequest } from '../platform/http/api-function.ts'
import type { OutboundHttp } from '../platform/net/outbound-http.ts'
import { fromBase64url, importReceiverKey, type ReceiverKeys } from './encrypt.ts'
import { NoPushKeys } from './errors.ts'
import type { OpenPageRepository } from './open-page.ts'
import type { SubscriptionRepository } from './subscription-repository.ts'
import type { vapidKey } from './vapid-key.ts'

interface PushDeps {
  key: Pick<ReturnType<typeof vapidKey>, 'loadPublicKey'>
  subscriptions: Pick<SubscriptionRepository, 'add' | 'remove'>
  http: Pick<OutboundHttp, 'check'>
  openPages: Pick<OpenPageRepository, 'note'>
}

const authBytes = 16

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
  'push.key': async () => ({ publicKey: await key.loadPublicKey() }),

  /** @throws AddressForbidden, NoPushKeys */
  'push.subscribe': async ({ user, body: { endpoint, keys } }: ValidRequest<'push.subscribe'>) => {
    http.check(endpoint)
    await subscriptions.add(user.sub, { endpoint, keys: await checkKeys(keys) })
    return { success: true as const }
  },

  'push.unsubscribe': async ({ user, body }: ValidRequest<'push.unsubscribe'>) => {
    await subscriptions.remove(user.sub, body.endpoint)
    return { success: true as const }
  },

  'push.pageOpen': async ({ user, body }: ValidRequest<'push.pageOpen'>) => {
    await openPages.note(user.sub, body.language, Date.now())
    return { success: true as const }
  },
})
