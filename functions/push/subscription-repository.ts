import { createHash } from 'node:crypto'
import * as z from 'zod'
import { maxPushSubscriptions } from '#shared/limits.ts'
import { putIf, readRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { pushSubscriptionsKey } from '../platform/auth/push-subscriptions.ts'
import type { ReceiverKeys } from './encrypt.ts'

/** A browser that gets push messages. */
export interface PushSubscription {
  endpoint: string
  keys: ReceiverKeys
  /** what the browser called itself; absent in rows of earlier releases */
  user_agent?: string | undefined
  created_at: string
}

const subscription = z.object({
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
  user_agent: z.string().optional().catch(undefined),
  created_at: z.string().catch(''),
})
const row = z.object({
  // one that cannot be read takes none of the others along
  subscriptions: z
    .array(z.unknown())
    .catch([])
    .transform((all) => all.flatMap((one) => subscription.safeParse(one).data ?? [])),
  rev: z.number().catch(0),
})

/** Two devices may change the row at the same time. */
const maxAttempts = 10

/**
 * The browsers of a user that get push messages, in one row outside the user's other rows: what ends a sign-in deletes it (`tokenRevoker`), and
 * has no right to read what users store.
 */
export const subscriptionRepository = (table: Table) => {
  async function find(sub: string) {
    const item = await readRow(table, pushSubscriptionsKey(sub))
    return item && row.parse(item)
  }

  async function change(
    sub: string,
    apply: (subscriptions: PushSubscription[]) => PushSubscription[],
  ): Promise<void> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const found = await find(sub)
      const before = found?.subscriptions ?? []
      const subscriptions = apply(before)
      if (subscriptions === before) return
      const isWritten = await putIf(
        table,
        { ...pushSubscriptionsKey(sub), subscriptions, rev: (found?.rev ?? 0) + 1 },
        found
          ? { ConditionExpression: 'rev = :seen', ExpressionAttributeValues: { ':seen': found.rev } }
          : { ConditionExpression: 'attribute_not_exists(PK)' },
      )
      if (isWritten) return
    }
    throw new Error('too many concurrent changes of the subscriptions')
  }

  return {
    /** Oldest first. */
    list: async (sub: string): Promise<PushSubscription[]> => (await find(sub))?.subscriptions ?? [],

    /** Adds a browser, or replaces its keys. Beyond the limit the oldest one goes: browsers leave subscriptions behind. */
    add: (sub: string, subscribed: Omit<PushSubscription, 'created_at'>): Promise<void> =>
      change(sub, (subscriptions) => {
        const known = subscriptions.find(({ endpoint }) => endpoint === subscribed.endpoint)
        if (known && isSameSubscription(known, subscribed)) return subscriptions
        const added = { ...subscribed, created_at: new Date().toISOString() }
        return [...subscriptions.filter((one) => one !== known), added].slice(-maxPushSubscriptions)
      }),

    /** Succeeds if there is no such one (any more). @param keys removes it only with these: it may have been made anew since */
    remove: (sub: string, endpoint: string, keys?: ReceiverKeys): Promise<void> =>
      change(sub, (subscriptions) => {
        const others = subscriptions.filter(
          (one) => one.endpoint !== endpoint || (keys && one.keys.auth !== keys.auth),
        )
        return others.length === subscriptions.length ? subscriptions : others
      }),

    /** Removes a browser of the list. Succeeds if there is no such one (any more). */
    removeById: (sub: string, id: string): Promise<void> =>
      change(sub, (subscriptions) => {
        const others = subscriptions.filter(({ endpoint }) => toReceiverId(endpoint) !== id)
        return others.length === subscriptions.length ? subscriptions : others
      }),
  }
}

/** Whether it is the same browser with the same keys. */
export const isSameSubscription = (
  one: Pick<PushSubscription, 'endpoint' | 'keys'>,
  other: Pick<PushSubscription, 'endpoint' | 'keys'>,
): boolean =>
  one.endpoint === other.endpoint &&
  one.keys.p256dh === other.keys.p256dh &&
  one.keys.auth === other.keys.auth

/** Names a browser without its endpoint, which whoever has it may send to. */
export const toReceiverId = (endpoint: string): string => toTopic(`receiver|${endpoint}`)

export type SubscriptionRepository = ReturnType<typeof subscriptionRepository>

/** Names a conversation to push services and browsers, without its id: at most 32 letters (RFC 8030 section 5.4). */
export const toTopic = (sessionId: string): string =>
  createHash('sha256').update(sessionId).digest('base64url').slice(0, 32)
