import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import type { Settings } from '#shared/contracts/account.ts'
import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import type { GroupRight } from '#shared/group-rights.ts'
import { callApi } from '../api/call-api.ts'
import { applyAccountTheme } from '../browser/theme.ts'
import { readAccountLanguage } from './account-language.ts'

/**
 * Whether the user's groups allow something. True until the frame of the page has loaded the account: the service checks every call itself.
 */
export const useRight = (right: GroupRight): boolean =>
  useQuery({ ...accountQuery, enabled: false }).data?.limits?.[right] !== false

/** Which tools the user's groups allow. All until the account is loaded, as in `useRight`. */
export const useToolsAllowed = (): ToolsAllowed =>
  useQuery({ ...accountQuery, enabled: false }).data?.limits?.tools ?? 'all'

/**
 * Shows the page in the language of the account. The code for that loads only if the language is another one than at the last visit, which
 * is rare; if it does not load, the next response tries again.
 */
async function applyChangedLanguage({ language = '' }: Settings): Promise<void> {
  if (language === (readAccountLanguage() ?? '')) return
  const module = await import('./account-language.ts').catch(() => undefined)
  module?.applyAccountLanguage(language)
}

/** Profile and settings of the signed-in user. Language and theme apply on whatever page reads them. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => {
    const account = await callApi('account.read', {}, { signal })
    const { settings } = account
    void applyChangedLanguage(settings)
    if (settings.theme) applyAccountTheme(settings.theme)
    return account
  },
})

/** An avatar as a data URL; never loaded without an id. The image behind an id does not change. */
export const avatarQuery = (avatarId: string | null) =>
  queryOptions({
    queryKey: ['avatar', avatarId],
    queryFn:
      avatarId === null
        ? skipToken
        : async ({ signal }) => {
            const { type, data } = await callApi('account.avatar', { params: { avatarId } }, { signal })
            return `data:${type};base64,${data}`
          },
    staleTime: Infinity,
  })
