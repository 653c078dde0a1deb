import { isObject, type JsonObject } from './chart-data.ts'

// Charts are not interactive: a specification is changed to what it would show while nothing is selected.

/** Whether a value refers to a selection, as conditions, filters and domains do: by `param`, in version 4 of Vega-Lite by `selection`. */
const refersToSelection = (value: unknown): value is JsonObject =>
  isObject(value) && ('param' in value || 'selection' in value)
const isSelectionCondition = (condition: unknown): condition is JsonObject =>
  refersToSelection(condition) || (isObject(condition) && refersToSelection(condition['test']))

/** The keys of a condition that say when it holds; the others say what is drawn then. */
const conditionKeys = new Set(['param', 'selection', 'empty', 'test'])

const isSelection = (param: unknown) => isObject(param) && 'select' in param

/** Resolves the conditions of a channel as if nothing were selected. Then they hold, unless they say otherwise by `empty`. */
function resolveConditions(channel: JsonObject): JsonObject {
  const { condition, ...rest } = channel
  const conditions = Array.isArray(condition) ? (condition as unknown[]) : [condition]
  const trueCondition = conditions.find((one) => isSelectionCondition(one) && one['empty'] !== false)
  if (isObject(trueCondition))
    return Object.fromEntries(Object.entries(trueCondition).filter(([key]) => !conditionKeys.has(key)))
  const otherConditions = conditions.filter((one) => !isSelectionCondition(one))
  return {
    ...rest,
    ...(otherConditions.length > 0 && {
      condition: Array.isArray(condition) ? otherConditions : otherConditions[0],
    }),
  }
}

/** Copies a specification without its selections. Data is not copied. */
export function dropSelections(spec: JsonObject): JsonObject {
  const resolved = 'condition' in spec ? resolveConditions(spec) : spec
  return Object.fromEntries(
    Object.entries(resolved).flatMap(([key, inner]): [string, unknown][] => {
      if (key === 'data' || key === 'datasets') return [[key, inner]]
      if (key === 'selection' && isObject(inner)) return []
      if (key === 'domain' && refersToSelection(inner)) return []
      if (key !== 'params' || !Array.isArray(inner)) return [[key, dropInside(inner)]]
      const remaining = inner.filter((param) => !isSelection(param))
      return remaining.length === 0 ? [] : [[key, remaining]]
    }),
  )
}

function dropInside(value: unknown): unknown {
  if (isObject(value)) return dropSelections(value)
  if (!Array.isArray(value)) return value
  const remaining = value.filter((one) => !(isObject(one) && refersToSelection(one['filter'])))
  return remaining.map(dropInside)
}
