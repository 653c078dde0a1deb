import { isObject, type JsonObject } from './chart-data.ts'

// Charts are not interactive: a specification is changed to what it would show while nothing is selected.

/** Whether a value refers to a selection, as conditions, filters and domains do: by `param`, in version 4 of Vega-Lite by `selection`. */
const refersToSelection = (value: unknown): value is JsonObject =>
  isObject(value) && ('param' in value || 'selection' in value)

/**
 * Resolves the selections of a condition or a filter as if nothing were selected: then each holds, unless it says otherwise by `empty`.
 * @returns whether the predicate holds; the predicate that remains if that depends on the data
 */
function resolvePredicate(predicate: unknown): unknown {
  if (!isObject(predicate)) return predicate
  if ('param' in predicate) return predicate['empty'] !== false
  if ('selection' in predicate) return holdsUnselected(predicate['selection'])
  if ('not' in predicate) {
    const inner = resolvePredicate(predicate['not'])
    return typeof inner === 'boolean' ? !inner : { not: inner }
  }
  if (Array.isArray(predicate['and'])) return resolveOperands('and', predicate['and'])
  if (Array.isArray(predicate['or'])) return resolveOperands('or', predicate['or'])
  return predicate
}

/** Whether selections of version 4, by their names, hold while nothing is selected. */
function holdsUnselected(selections: unknown): boolean {
  if (!isObject(selections)) return true
  if ('not' in selections) return !holdsUnselected(selections['not'])
  if (Array.isArray(selections['and'])) return selections['and'].every(holdsUnselected)
  return !Array.isArray(selections['or']) || selections['or'].some(holdsUnselected)
}

function resolveOperands(operator: 'and' | 'or', operands: readonly unknown[]): unknown {
  const decisive = operator === 'or'
  const resolved = operands.map(resolvePredicate)
  if (resolved.includes(decisive)) return decisive
  const remaining = resolved.filter((one) => one !== !decisive)
  return remaining.length === 0 ? !decisive : { [operator]: remaining }
}

const isSelection = (param: unknown) => isObject(param) && 'select' in param

/** Resolves the conditions of a channel. Behind one that always holds, neither the others nor the channel's own value are drawn. */
function resolveConditions(channel: JsonObject): JsonObject {
  const { condition, ...rest } = channel
  const conditions: unknown[] = Array.isArray(condition) ? condition : [condition]
  const remaining: unknown[] = []
  const withRemaining = (drawn: JsonObject): JsonObject =>
    remaining.length === 0
      ? drawn
      : { ...drawn, condition: Array.isArray(condition) ? remaining : remaining[0] }
  for (const one of conditions) {
    if (!isObject(one)) {
      remaining.push(one)
      continue
    }
    const { param: _, selection: __, empty: ___, test, ...drawn } = one
    const resolved = resolvePredicate(refersToSelection(one) ? one : test)
    if (resolved === true) return withRemaining(drawn)
    if (resolved !== false) remaining.push(resolved === test ? one : { ...one, test: resolved })
  }
  return withRemaining(rest)
}

/** Copies a specification without its selections. Data is not copied. */
export function dropSelections(spec: JsonObject): JsonObject {
  const resolved = 'condition' in spec ? resolveConditions(spec) : spec
  return Object.fromEntries(
    Object.entries(resolved).flatMap(([key, inner]): [string, unknown][] => {
      if (key === 'data' || key === 'datasets') return [[key, inner]]
      if (key === 'selection' && isObject(inner)) return []
      if (key === 'domain' && refersToSelection(inner)) return []
      if (key === 'filter') return [[key, toFilter(resolvePredicate(inner))]]
      if (key !== 'params' || !Array.isArray(inner)) return [[key, dropInside(inner)]]
      const remaining = inner.filter((param) => !isSelection(param))
      return remaining.length === 0 ? [] : [[key, remaining]]
    }),
  )
}

/** A filter that always or never holds is the expression of that. */
const toFilter = (predicate: unknown) => (typeof predicate === 'boolean' ? String(predicate) : predicate)

function dropInside(value: unknown): unknown {
  if (isObject(value)) return dropSelections(value)
  return Array.isArray(value) ? value.map(dropInside) : value
}
