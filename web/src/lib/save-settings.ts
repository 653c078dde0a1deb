import type { QueryClient } from '@tanstack/react-query'
import type { Settings } from '#shared/contracts/account.ts'
import { accountQuery } from './account-queries.ts'
import { callApi } from './call-api.ts'
import { createQueue, type Queue } from './create-queue.ts'

/** The queue of each user, by their query client. */
const queues = new WeakMap<QueryClient, Queue>()

/**
 * Saves settings and updates the cached account. Changes are saved one after the other: each response is the whole account, so that an older
 * response would overwrite a later change.
 * @throws what `callApi` throws; the cache is unchanged then
 */
export function saveSettings(
  queryClient: QueryClient,
  change: { [Field in keyof Settings]?: NonNullable<Settings[Field]> },
): Promise<void> {
  const enqueue = queues.get(queryClient) ?? createQueue()
  queues.set(queryClient, enqueue)
  return enqueue(async () => {
    const account = await callApi('account.settings', { body: change })
    // a fetch that has begun would bring back the old state
    await queryClient.cancelQueries({ queryKey: accountQuery.queryKey })
    queryClient.setQueryData(accountQuery.queryKey, account)
  })
}
