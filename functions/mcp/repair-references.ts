import { isRecord } from './is-record.ts'
import { resolveReference } from './relaxed-arguments.ts'

type Schema = Record<string, unknown>

/** Their values are data, not schemas. */
const dataKeywords = new Set(['const', 'enum', 'default', 'examples', 'required'])
/** Their values are objects of schemas by name. */
const mapKeywords = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'])
/** What is below them describes a part of the arguments, not all of them. */
const partKeywords = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
])

const escapePart = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** All names by which a schema within another can be referred to, other than by its place. */
function listNames(value: unknown, names = new Set<unknown>()): Set<unknown> {
  if (isRecord(value)) for (const key of ['$id', 'id', '$anchor', '$dynamicAnchor']) names.add(value[key])
  if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) listNames(each, names)
  return names
}

/** What a generator meant with a reference: a place in the schema, or in the nearest one around it, which it took for the whole. */
function findTarget(ref: string, around: readonly Schema[]): unknown {
  if (!ref.startsWith('#/')) return undefined
  for (const schema of around.toReversed()) {
    const target = resolveReference(schema, ref) ?? resolveReference(schema, decode(ref))
    if (isRecord(target) || typeof target === 'boolean') return target
  }
  return undefined
}

/**
 * Repairs the references of a schema that lead nowhere, so that arguments can be checked by the rest of it. Generators leave definitions
 * within a parameter and refer to them as if they were at the top (spring-projects/spring-ai#5888): they are moved there. What is found
 * nowhere, in the description of a part of the arguments, allows any value: the server checks it (quarkiverse/quarkus-mcp-server#539).
 * @param root a copy, which is changed
 */
export function repairReferences(root: Schema): void {
  // its own address is left out when arguments are checked
  const { $id, id, ...parts } = root
  const [address] = [$id, id].filter((one) => typeof one === 'string' && one !== '') as (string | undefined)[]
  const names = listNames(parts)
  /** the definitions that are moved, with their names at the top */
  const moved = new Map<unknown, string>()
  const definitions = isRecord(root['$defs']) ? root['$defs'] : {}
  const taken = new Set(Object.keys(definitions))

  /** @returns the name of a definition at the top */
  function moveToTop(target: unknown, ref: string): string {
    const known = moved.get(target)
    if (known !== undefined) return known
    const name = decode(ref.slice(ref.lastIndexOf('/') + 1))
    let free = name
    for (let count = 2; taken.has(free); count += 1) free = `${name}_${count}`
    taken.add(free)
    moved.set(target, free)
    return free
  }

  function repair(schema: Schema, around: readonly Schema[], isPart: boolean): void {
    const given = schema['$ref']
    if (typeof given !== 'string') return
    const isOwn = address !== undefined && (given === address || given.startsWith(`${address}#`))
    const ref = isOwn ? given.slice(address.length) || '#' : given
    schema['$ref'] = ref
    const [document = '', fragment = ''] = ref.split('#')
    const isNamed = [ref, document, fragment].some((name) => name !== '' && names.has(name))
    if (ref === '#' || isNamed || resolveReference(root, ref) !== undefined) return
    if (resolveReference(root, decode(ref)) !== undefined) {
      schema['$ref'] = decode(ref)
      return
    }
    const target = findTarget(ref, around)
    if (target !== undefined) schema['$ref'] = `#/$defs/${escapePart(moveToTop(target, ref))}`
    else if (isPart) delete schema['$ref']
  }

  function visit(value: unknown, around: readonly Schema[], isPart: boolean): void {
    if (Array.isArray(value)) for (const each of value) visit(each, around, isPart)
    if (!isRecord(value)) return
    repair(value, around, isPart)
    const within = [...around, value]
    for (const [key, each] of Object.entries(value)) {
      if (dataKeywords.has(key)) continue
      const isPartBelow = isPart || partKeywords.has(key)
      if (mapKeywords.has(key) && isRecord(each))
        for (const one of Object.values(each)) visit(one, within, isPartBelow)
      else visit(each, within, isPartBelow)
    }
  }

  visit(root, [], false)
  // at last: until then a reference to one of them leads nowhere, and may mean another one of its name
  const added = [...moved].map(([target, name]) => [name, target] as const)
  if (added.length > 0) root['$defs'] = Object.fromEntries([...Object.entries(definitions), ...added])
}
