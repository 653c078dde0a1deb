import type { QueryClient } from '@tanstack/react-query'
import type { Settings } from '#shared/contracts/account.ts'
import { accountQuery } from './account-queries.ts'
import { callApi } from './call-api.ts'

/** Settles when the newest change has been saved or has failed: the next one waits for it. */
const lastChanges = new WeakMap<QueryClient, Promise<unknown>>()

/**
 * Saves settings and updates the cached account. Changes are saved one after the other: each response is the whole account, and an older
 * one would take away what a later change has brought.
 * @throws what `callApi` throws; the cache is unchanged then
 */
export function saveSettings(
  queryClient: QueryClient,
  change: { [Field in keyof Settings]?: NonNullable<Settings[Field]> },
): Promise<void> {
  const save = async () => {
    const account = await callApi('account.settings', { body: change })
    await queryClient.cancelQueries({ queryKey: accountQuery.queryKey })
    queryClient.setQueryData(accountQuery.queryKey, account)
  }
  const saved = (lastChanges.get(queryClient) ?? Promise.resolve()).then(save, save)
  lastChanges.set(queryClient, saved)
  return saved
}
