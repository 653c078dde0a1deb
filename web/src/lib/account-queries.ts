import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Settings } from '#shared/contracts/account.ts'
import { callApi } from './call-api.ts'

/** Profile and settings of whoever is signed in (DATA-07, DEC-033). */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => callApi('account.read', {}, { signal }),
})

/** A picture as an address that an image shows; it never changes under its id. */
export const avatarQuery = (avatarId: string | null) =>
  queryOptions({
    queryKey: ['avatar', avatarId],
    queryFn: async ({ signal }) => {
      if (avatarId === null) return null
      const { type, data } = await callApi('account.avatar', { params: { avatarId } }, { signal })
      return `data:${type};base64,${data}`
    },
    staleTime: Infinity,
    enabled: avatarId !== null,
  })

/**
 * Stores settings of the user, and puts the answer where everybody reads it.
 * @throws what `callApi` throws; nothing has changed on the page then
 */
export async function saveSettings(
  queryClient: QueryClient,
  change: { [Field in keyof Settings]?: NonNullable<Settings[Field]> },
): Promise<void> {
  const account = await callApi('account.settings', { body: change })
  await queryClient.cancelQueries({ queryKey: accountQuery.queryKey })
  queryClient.setQueryData(accountQuery.queryKey, account)
}
