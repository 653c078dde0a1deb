import type { QueryClient } from '@tanstack/react-query'
import type { AccountRead, Settings } from '#shared/contracts/account.ts'
import { accountQuery } from './account-queries.ts'
import { callApi } from '../api/call-api.ts'
import { createQueue, type Queue } from '../browser/create-queue.ts'

/** The queue of each user, by their query client. */
const queues = new WeakMap<QueryClient, Queue>()

/**
 * Saves a change of the account and updates the cache. Changes are saved one after the other: each response is the whole account, so that an
 * older response would overwrite a later change.
 * @param save sends the change and returns the account as the service has stored it
 * @throws what `save` throws; the cache is unchanged then
 */
export function saveAccount(
  queryClient: QueryClient,
  save: () => Promise<AccountRead>,
): Promise<AccountRead> {
  const enqueue = queues.get(queryClient) ?? createQueue()
  queues.set(queryClient, enqueue)
  return enqueue(async () => {
    const account = await save()
    // a fetch that has begun would bring back the old state
    await queryClient.cancelQueries({ queryKey: accountQuery.queryKey })
    queryClient.setQueryData(accountQuery.queryKey, account)
    return account
  })
}

/** Saves settings, as `saveAccount`. @throws what `callApi` throws */
export async function saveSettings(
  queryClient: QueryClient,
  change: { [Field in keyof Settings]?: NonNullable<Settings[Field]> },
): Promise<void> {
  await saveAccount(queryClient, () => callApi('account.settings', { body: change }))
}
