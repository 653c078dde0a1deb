import { callApi } from './call-api.ts'
import { pushOwnerKey as ownerKey, readStored, removeStored, writeStored } from './storage.ts'

async function findPushManager(): Promise<PushManager | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  return registration?.pushManager
}

const isOwnedBy = (userId: string) => readStored('local', ownerKey) === userId

/** Safari takes bytes only. */
const toBytes = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))

const hasKey = ({ options }: PushSubscription, key: Uint8Array) =>
  options.applicationServerKey !== null &&
  new Uint8Array(options.applicationServerKey).every((byte, index) => byte === key[index])

const forgetEndpoint = (endpoint: string) => callApi('push.unsubscribe', { body: { endpoint } })

/**
 * Subscribes this browser for a user, or makes sure that it is subscribed. The permission is granted by then.
 * @returns false where the browser has no push
 * @throws what the browser and `callApi` throw
 */
export async function enablePush(userId: string): Promise<boolean> {
  const manager = await findPushManager()
  if (!manager) return false
  const { publicKey } = await callApi('push.key', {})
  const applicationServerKey = toBytes(publicKey)
  const existing = await manager.getSubscription()
  if (existing && (!isOwnedBy(userId) || !hasKey(existing, applicationServerKey))) {
    await existing.unsubscribe()
    // one of another user is not this user's to end: their push service refuses it from now on, and the service forgets it then
    if (isOwnedBy(userId)) await forgetEndpoint(existing.endpoint).catch(() => undefined)
  }
  const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey })
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  if (endpoint === undefined) return false
  await callApi('push.subscribe', { body: { endpoint, keys: { p256dh, auth } } })
  writeStored('local', ownerKey, userId)
  return true
}

/** Ends the subscription of this browser; the service forgets it at once, or when it is refused. */
export async function disablePush(): Promise<void> {
  if (readStored('local', ownerKey) === null) return
  removeStored('local', ownerKey)
  const subscription = await (await findPushManager())?.getSubscription()
  if (!subscription) return
  const { endpoint } = subscription
  await Promise.allSettled([subscription.unsubscribe(), forgetEndpoint(endpoint)])
}

/** Whether another user of this browser is told. */
export const isPushOfOther = (userId: string): boolean =>
  readStored('local', ownerKey) !== null && !isOwnedBy(userId)
