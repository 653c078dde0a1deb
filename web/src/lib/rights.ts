import { useQuery } from '@tanstack/react-query'
import type { GroupRight } from '#shared/group-rights.ts'
import { accountQuery } from './account-queries.ts'

/** Whether the user's groups allow something. Until the account has loaded they do: the service refuses what they do not. */
export const useRight = (right: GroupRight): boolean => useQuery(accountQuery).data?.limits?.[right] !== false
