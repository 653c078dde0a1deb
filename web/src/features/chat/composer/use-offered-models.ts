import { useQuery } from '@tanstack/react-query'
import { isModelAllowed } from '#shared/model-limits.ts'
import type { PublicModel } from '#shared/models.ts'
import { accountQuery } from '../../../lib/account/account-queries.ts'

/**
 * The models that the user may choose, with the default of an administrator marked. Another component loads the account; until then all models
 * are offered, and the server refuses those that may not be used.
 */
export function useOfferedModels(models: readonly PublicModel[]): readonly PublicModel[] {
  const { data: account } = useQuery({ ...accountQuery, enabled: false })
  return withDefault(models, account?.default_model).filter((each) =>
    isModelAllowed(each, account?.limits ?? {}),
  )
}

/** Marks the model that an administrator has set as the default. @param id of that model; ignored if there is no such model */
const withDefault = (models: readonly PublicModel[], id: string | undefined): readonly PublicModel[] =>
  models.some((model) => model.id === id)
    ? models.map((model) => ({ ...model, isDefault: model.id === id }))
    : models
