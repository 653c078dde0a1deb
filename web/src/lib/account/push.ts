import { callApi } from '../api/call-api.ts'
import { createQueue } from '../browser/create-queue.ts'
import { pushOwnerKey as ownerKey, readStored, removeStored, writeStored } from '../browser/storage.ts'

async function findPushManager(): Promise<PushManager | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  return registration?.pushManager
}

const isOwnedBy = (userId: string) => readStored('local', ownerKey) === userId

/** Safari takes bytes only. */
const toBytes = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))

/** Whether a subscription was made with the service's key, which an operator may replace. */
const hasKey = ({ options }: PushSubscription, key: Uint8Array) =>
  options.applicationServerKey !== null &&
  String(new Uint8Array(options.applicationServerKey)) === String(key)

/** Tells the service that it need not send to an address any more. */
const forgetEndpoint = (endpoint: string) => callApi('push.unsubscribe', { body: { endpoint } })

/** Changes of the subscription, one after the other: a sign-out also ends one that is being set up. */
const enqueue = createQueue()

/**
 * Subscribes this browser for a user, or makes sure that it is subscribed. The permission is granted by then.
 * Does nothing where the browser has no push, or can store nothing.
 * @throws what the browser and `callApi` throw
 */
export const enablePush = (userId: string): Promise<void> => enqueue(() => subscribe(userId))

/** Ends the subscription of this browser; the service forgets it at once, or when it is refused. */
export const disablePush = (): Promise<void> => enqueue(unsubscribe)

async function subscribe(userId: string): Promise<void> {
  const manager = await findPushManager()
  if (!manager) return
  const { publicKey } = await callApi('push.key', {})
  const applicationServerKey = toBytes(publicKey)
  const existing = await manager.getSubscription()
  const isOwn = isOwnedBy(userId)
  if (existing && (!isOwn || !hasKey(existing, applicationServerKey))) {
    await existing.unsubscribe()
    // one of another user is not this user's to end: their push service refuses it from now on, and the service forgets it then
    if (isOwn) await forgetEndpoint(existing.endpoint).catch(() => undefined)
  }
  // before there is anything to end: a sign-out looks here, and would not end what is not noted
  if (!writeStored('local', ownerKey, userId)) return
  const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey })
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  if (endpoint === undefined) return
  await callApi('push.subscribe', { body: { endpoint, keys: { p256dh, auth } } })
}

async function unsubscribe(): Promise<void> {
  if (readStored('local', ownerKey) === null) return
  removeStored('local', ownerKey)
  const subscription = await (await findPushManager())?.getSubscription()
  if (!subscription) return
  const { endpoint } = subscription
  await Promise.allSettled([subscription.unsubscribe(), forgetEndpoint(endpoint)])
}

/** Whether a browser of the service's list is this one: its id is a hash of the endpoint, as the service makes it. */
export async function isThisReceiver(id: string): Promise<boolean> {
  const subscription = await (await findPushManager())?.getSubscription()
  if (!subscription) return false
  const text = new TextEncoder().encode(`receiver|${subscription.endpoint}`)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .startsWith(id)
}

/** Whether this browser gets the notifications of another user. */
export const isPushOfOther = (userId: string): boolean =>
  readStored('local', ownerKey) !== null && !isOwnedBy(userId)
