/** Which of the deployment's models a user may choose. */
export interface ModelLimits {
  /** ids; absent: all */
  models?: readonly string[] | undefined
  /** the user's costs are limited, so models whose price is not known are left out */
  priced_models_only?: boolean | undefined
}

/** Whether a user’s groups allow a model. */
export const isModelAllowed = (
  { id, price }: { id: string; price?: unknown },
  { models, priced_models_only = false }: ModelLimits,
): boolean => (models?.includes(id) ?? true) && (!priced_models_only || price !== undefined)
