/** What dynalite gives its parsers besides an expression. */
interface ParseContext {
  readonly attrNames?: Readonly<Record<string, string>> | undefined
  readonly attrVals?: Readonly<Record<string, object>> | undefined
  /** the parser deletes those that the expression uses */
  readonly unusedAttrNames: Record<string, true>
  readonly unusedAttrVals: Record<string, true>
}

export type Parse = (expression: string, options: { context: ParseContext }) => unknown

interface Parsed {
  /** the syntax tree, with a placeholder for each value */
  readonly tree: object
  readonly placeholders: ReadonlyMap<object, string>
  readonly usedNames: readonly string[]
  readonly usedValues: readonly string[]
}

const maxEntries = 1_000
/** For these operators the parser reads a value, and for all others only its type. */
const readsValues = /between|attribute_type/i

/**
 * Parses each expression once. dynalite parses those of every request, which took a tenth of the processor time of the unit tests,
 * and the product sends the same few with other values.
 */
export function cacheExpressions(parse: Parse): Parse {
  const entries = new Map<string, Parsed>()
  return (expression, { context }) => {
    if (readsValues.test(expression)) return parse(expression, { context })
    const { attrNames = {}, attrVals = {}, unusedAttrNames, unusedAttrVals } = context
    const types = Object.entries(attrVals).map(([name, value]) => [name, ...Object.keys(value)])
    const key = JSON.stringify([expression, attrNames, types])
    const parsed = entries.get(key) ?? parseAlone(parse, expression, context)
    // invalid: dynalite reports the error
    if (!parsed) return parse(expression, { context })
    if (!entries.has(key) && entries.size >= maxEntries) entries.clear()
    entries.set(key, parsed)
    for (const name of parsed.usedNames) delete unusedAttrNames[name]
    for (const name of parsed.usedValues) delete unusedAttrVals[name]
    const values = new Map<object, unknown>()
    for (const [placeholder, name] of parsed.placeholders) values.set(placeholder, attrVals[name])
    return copy(parsed.tree, values)
  }
}

/** Parses an expression as if it were the only one of its request. @returns undefined for an invalid one */
function parseAlone(parse: Parse, expression: string, context: ParseContext): Parsed | undefined {
  const { attrNames = {}, attrVals = {} } = context
  const [names, values] = [Object.keys(attrNames), Object.keys(attrVals)]
  const unusedAttrNames = Object.fromEntries(names.map((name) => [name, true as const]))
  const unusedAttrVals = Object.fromEntries(values.map((name) => [name, true as const]))
  const tree = parse(expression, { context: { ...context, unusedAttrNames, unusedAttrVals } })
  if (typeof tree !== 'object' || tree === null) return undefined
  const placeholders = new Map(values.map((name) => [{}, name]))
  const placeholderByValue = new Map(
    [...placeholders].map(([placeholder, name]) => [attrVals[name] as object, placeholder]),
  )
  return {
    tree: copy(tree, placeholderByValue) as object,
    placeholders,
    usedNames: names.filter((name) => !(name in unusedAttrNames)),
    usedValues: values.filter((name) => !(name in unusedAttrVals)),
  }
}

/**
 * Copies a tree, because dynalite changes it.
 * @param copies what replaces an object of the tree; the copies of the other objects are added
 */
function copy(node: unknown, copies: Map<object, unknown>): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (copies.has(node)) return copies.get(node)
  const made = (Array.isArray(node) ? [] : Object.create(Object.getPrototypeOf(node))) as Record<
    string,
    unknown
  >
  copies.set(node, made)
  for (const [key, value] of Object.entries(node)) made[key] = copy(value, copies)
  return made
}
