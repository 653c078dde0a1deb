import { isObject, type JsonObject } from './chart-data.ts'

// Charts are not interactive: a specification is changed to what it would show while nothing is selected.

/** Whether a value refers to a selection, as conditions, filters and domains do: by `param`, in version 4 of Vega-Lite by `selection`. */
const namesSelection = (value: unknown): value is JsonObject =>
  isObject(value) && ('param' in value || 'selection' in value)
const isSelected = (condition: unknown): condition is JsonObject =>
  namesSelection(condition) || (isObject(condition) && namesSelection(condition['test']))

const isSelection = (param: unknown) => isObject(param) && 'select' in param

/** Resolves the conditions of a channel as if nothing were selected. Then they hold, unless they say otherwise by `empty`. */
function resolveConditions(channel: JsonObject): JsonObject {
  const { condition, ...rest } = channel
  const conditions = Array.isArray(condition) ? (condition as unknown[]) : [condition]
  const holding = conditions.find((one) => isSelected(one) && one['empty'] !== false)
  if (isObject(holding)) {
    const { param: _, selection: __, empty: ___, test: ____, ...chosen } = holding
    return chosen
  }
  const otherConditions = conditions.filter((one) => !isSelected(one))
  return {
    ...rest,
    ...(otherConditions.length > 0 && {
      condition: Array.isArray(condition) ? otherConditions : otherConditions[0],
    }),
  }
}

/** Copies a specification without its selections. Data is not copied. */
export function dropSelections(value: unknown): unknown {
  if (Array.isArray(value)) {
    const remaining = value.filter((one) => !(isObject(one) && namesSelection(one['filter'])))
    return remaining.map(dropSelections)
  }
  if (!isObject(value)) return value
  const channel = 'condition' in value ? resolveConditions(value) : value
  return Object.fromEntries(
    Object.entries(channel).flatMap(([key, inner]): [string, unknown][] => {
      if (key === 'data' || key === 'datasets') return [[key, inner]]
      if (key === 'selection' && isObject(inner)) return []
      if (key === 'domain' && namesSelection(inner)) return []
      if (key !== 'params' || !Array.isArray(inner)) return [[key, dropSelections(inner)]]
      const remaining = inner.filter((param) => !isSelection(param))
      return remaining.length === 0 ? [] : [[key, remaining]]
    }),
  )
}
