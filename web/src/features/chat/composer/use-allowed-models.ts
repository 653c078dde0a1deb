import { useQuery } from '@tanstack/react-query'
import { isModelAllowed } from '#shared/model-limits.ts'
import type { PublicModel } from '#shared/models.ts'
import { accountQuery } from '../../../lib/account-queries.ts'

/** The models that the user may choose. The account is loaded elsewhere; until then the server refuses what may not be used. */
export function useAllowedModels(offered: readonly PublicModel[]): PublicModel[] {
  const { data: account } = useQuery({ ...accountQuery, enabled: false })
  return offered.filter((each) => isModelAllowed(each, account?.limits ?? {}))
}
