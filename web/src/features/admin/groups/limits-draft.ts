import type { GroupLimits } from '#shared/contracts/admin.ts'
import { groupRights, type GroupRight } from '#shared/group-rights.ts'
import { maxSchedules } from '#shared/limits.ts'
import { isModelAllowed } from '#shared/model-limits.ts'
import type { PublicModel } from '#shared/models.ts'
import { formatNumberInput, parseNumberInput } from '../../../lib/text/number-input.ts'
import { describeNumberProblem, type NumberRule } from '../describe-number-problem.ts'
import { maxAmount, maxCostUsd, maxStorageGb } from '../service-limits.ts'

const wholeNumber: NumberRule = { hasDecimals: false, smallest: 0, largest: maxAmount }
const cost: NumberRule = { hasDecimals: true, smallest: 0, largest: maxCostUsd }

/** What the service takes as limits that are numbers, in the order of the form. */
export const numberRules = {
  tokens_per_day: wholeNumber,
  tokens_per_month: wholeNumber,
  cost_per_day: cost,
  cost_per_month: cost,
  images_per_day: wholeNumber,
  uploads_per_day: wholeNumber,
  storage_gb: { hasDecimals: true, smallest: 0, largest: maxStorageGb },
  max_schedules: { ...wholeNumber, largest: maxSchedules },
} satisfies Partial<Record<keyof GroupLimits, NumberRule>>
/** The name of a limit that is a number. */
export type NumberLimit = keyof typeof numberRules
/** The limits that are numbers, in the order of the form. */
export const numberLimits = Object.keys(numberRules) as NumberLimit[]

export type RightChoice = 'default' | 'allowed' | 'forbidden'

/** Limits as they are being edited: numbers as text. */
export interface LimitsDraft {
  numbers: Record<NumberLimit, string>
  /** undefined for all */
  models: string[] | undefined
  tools: NonNullable<GroupLimits['tools']> | 'default'
  twoFactor: 'default' | 'required' | 'optional'
  rights: Record<GroupRight, RightChoice>
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
    twoFactor: toChoice(limits.require_two_factor, ['required', 'optional']),
    rights: Object.fromEntries(
      groupRights.map((right) => [right, toChoice(limits[right], ['allowed', 'forbidden'])]),
    ) as LimitsDraft['rights'],
  }
}

/** @param names of true and false */
const toChoice = <Name extends string>(
  value: boolean | undefined,
  [yes, no]: readonly [Name, Name],
): Name | 'default' => (value === undefined ? 'default' : value ? yes : no)

/** What is wrong with the limits that are numbers, by limit. */
export function findLimitProblems({ numbers }: LimitsDraft): Partial<Record<NumberLimit, string>> {
  const problems: Partial<Record<NumberLimit, string>> = {}
  for (const limit of numberLimits) {
    const problem = describeNumberProblem(numbers[limit], numberRules[limit])
    if (problem !== undefined) problems[limit] = problem
  }
  return problems
}

/** Converts a draft without problems to limits. */
export function toLimits({ numbers, models, tools, twoFactor, rights }: LimitsDraft): GroupLimits {
  const limits: GroupLimits = {}
  for (const limit of numberLimits) {
    const value = parseNumberInput(numbers[limit], numberRules[limit])
    if (value !== undefined) limits[limit] = value
  }
  if (models) limits.models = models
  if (tools !== 'default') limits.tools = tools
  if (twoFactor !== 'default') limits.require_two_factor = twoFactor === 'required'
  for (const right of groupRights)
    if (rights[right] !== 'default') limits[right] = rights[right] === 'allowed'
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
