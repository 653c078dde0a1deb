import { useQuery } from '@tanstack/react-query'
import type { ToolsAllowed } from '#shared/contracts/admin.ts'
import type { GroupRight } from '#shared/group-rights.ts'
import { accountQuery } from './account-queries.ts'

/**
 * Whether the user's groups allow something. True until the frame of the page has loaded the account: the service checks every call itself.
 */
export const useRight = (right: GroupRight): boolean =>
  useQuery({ ...accountQuery, enabled: false }).data?.limits?.[right] !== false

/** Which tools the user's groups allow. All until the account is loaded, as in `useRight`. */
export const useToolsAllowed = (): ToolsAllowed =>
  useQuery({ ...accountQuery, enabled: false }).data?.limits?.tools ?? 'all'
