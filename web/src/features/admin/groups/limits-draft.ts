import type { GroupLimits } from '#shared/contracts/admin.ts'
import { groupRights, type GroupRight } from '#shared/group-rights.ts'
import { maxSchedules } from '#shared/limits.ts'
import { isModelAllowed } from '#shared/model-limits.ts'
import type { PublicModel } from '#shared/models.ts'
import { formatNumberInput, parseNumberInput } from '../../../lib/number-input.ts'

/** The limits that are numbers, in the order of the form. */
export const numberLimits = [
  'tokens_per_day',
  'tokens_per_month',
  'cost_per_day',
  'cost_per_month',
  'images_per_day',
  'uploads_per_day',
  'storage_gb',
  'max_schedules',
] as const
/** The name of a limit that is a number, of tokens, costs, images or uploads. */
export type NumberLimit = (typeof numberLimits)[number]

/** The largest value of each limit, as the service takes it. */
export const largestLimits: Readonly<Record<NumberLimit, number>> = {
  tokens_per_day: 1e12,
  tokens_per_month: 1e12,
  cost_per_day: 1e9,
  cost_per_month: 1e9,
  images_per_day: 1e12,
  uploads_per_day: 1e12,
  storage_gb: 1e6,
  max_schedules: maxSchedules,
}

const decimalLimits: readonly NumberLimit[] = ['cost_per_day', 'cost_per_month', 'storage_gb']
/** Whether a limit may have decimals. */
export const allowsDecimals = (limit: NumberLimit): boolean => decimalLimits.includes(limit)

/** Limits as they are being edited: numbers as text. */
export interface LimitsDraft {
  numbers: Record<NumberLimit, string>
  /** undefined for all */
  models: string[] | undefined
  tools: NonNullable<GroupLimits['tools']> | 'default'
  twoFactor: 'default' | 'required' | 'optional'
  /** what members may not do */
  missingRights: readonly GroupRight[]
}

/** Converts limits to a draft for the form. */
export function toDraft(limits: GroupLimits): LimitsDraft {
  const numbers = Object.fromEntries(
    numberLimits.map((limit) => [limit, limits[limit] === undefined ? '' : formatNumberInput(limits[limit])]),
  ) as LimitsDraft['numbers']
  return {
    numbers,
    models: limits.models,
    tools: limits.tools ?? 'default',
    twoFactor:
      limits.require_two_factor === undefined
        ? 'default'
        : limits.require_two_factor
          ? 'required'
          : 'optional',
    missingRights: groupRights.filter((right) => limits[right] === false),
  }
}

/** The limits whose text is no number, or a larger one than the service takes. */
export const findInvalidLimits = ({ numbers }: LimitsDraft): NumberLimit[] =>
  numberLimits.filter((limit) => {
    const value = parseNumberInput(numbers[limit], { hasDecimals: allowsDecimals(limit) })
    return value !== undefined && !(value <= largestLimits[limit])
  })

/** Converts a draft without invalid limits to limits. */
export function toLimits({ numbers, models, tools, twoFactor, missingRights }: LimitsDraft): GroupLimits {
  const limits: GroupLimits = {}
  for (const limit of numberLimits) {
    const value = parseNumberInput(numbers[limit], { hasDecimals: allowsDecimals(limit) })
    if (value !== undefined) limits[limit] = value
  }
  if (models) limits.models = models
  if (tools !== 'default') limits.tools = tools
  if (twoFactor !== 'default') limits.require_two_factor = twoFactor === 'required'
  for (const right of missingRights) limits[right] = false
  return limits
}

/** Whether a cost limit leaves members without a model, because none of those that they may choose has a known price. */
export function excludesAllModels(
  { numbers, models }: LimitsDraft,
  offeredModels: readonly Pick<PublicModel, 'id' | 'price'>[],
): boolean {
  const hasCost = [numbers.cost_per_day, numbers.cost_per_month].some((text) => text.trim() !== '')
  const limits = { models, priced_models_only: true }
  return hasCost && offeredModels.length > 0 && !offeredModels.some((model) => isModelAllowed(model, limits))
}
