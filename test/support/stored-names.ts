import { children, isNode, type Node, parse, walk } from './syntax-tree.ts'

/** The names in source code that outlive a release: in rows of the table, in the browser's storage, in events, in the environment. */

export interface RowNames {
  /** keys of rows and objects, and what keys start with; `${}` is a part that varies */
  readonly keys: string[]
  /** members of zod objects and of items that are written */
  readonly attributes: string[]
  /** expressions, their parts, and what their placeholders stand for */
  readonly expressions: string[]
}

/** Functions of `dynamodb/rows.ts` whose second argument is a whole row. */
const rowWriters = new Set(['putRow', 'createRow', 'putIf'])

/** Attribute names, keys and expressions of a module with a repository, or with the schema of a row. */
export function findRowNames(file: string, source: string): RowNames {
  const [keys, attributes, expressions] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const node of walk(parse(file, source))) {
    if (node.type === 'CallExpression' && schemaMethods.has(calledMethod(node)))
      for (const name of memberNames(firstArgument(node))) attributes.add(name)
    if (node.type === 'CallExpression' && rowWriters.has(String((node['callee'] as Node)['name'])))
      for (const name of memberNames((node['arguments'] as Node[])[1])) attributes.add(name)
    const literal = textIn(node) ?? ''
    if (key.test(literal)) keys.add(literal)
    if (expression.test(literal)) expressions.add(literal.replaceAll(/\s+/g, ' '))
    if (node.type === 'ObjectExpression') {
      const names = memberNames(node)
      if (names.includes('PK')) for (const name of names) attributes.add(name)
    }
    if (node.type !== 'Property') continue
    const [name, value] = [nameOf(node), node['value']]
    const text = textIn(value)
    if ((name === 'PK' || name === 'SK') && text) keys.add(`${name} ${text}`)
    if (name === 'Item') for (const attribute of memberNames(value)) attributes.add(attribute)
    if (expressionMembers.has(name) && text) expressions.add(text.replaceAll(/\s+/g, ' '))
    if (name.startsWith('#') && text) expressions.add(`${name} is ${text}`)
  }
  const otherKeys = sort(keys).filter((text) => !keys.has(`PK ${text}`) && !keys.has(`SK ${text}`))
  return { keys: otherKeys, attributes: sort(attributes), expressions: sort(expressions) }
}

/** Variables that a module reads: those of `parseEnv`, of schemas and of `process.env`. */
export function findEnvironmentVariables(file: string, source: string): string[] {
  const found = new Set<string>()
  for (const node of walk(parse(file, source))) {
    if (node.type === 'CallExpression') {
      const isParsed =
        (node['callee'] as Node)['name'] === 'parseEnv' || schemaMethods.has(calledMethod(node))
      for (const name of isParsed ? memberNames(firstArgument(node)) : []) found.add(name)
    }
    if (node.type === 'MemberExpression' && (node['property'] as Node).type === 'Literal')
      found.add(String((node['property'] as Node)['value']))
  }
  return sort(found).filter((name) => /^[A-Z][A-Z0-9_]{2,}$/.test(name))
}

/** Keys of localStorage and sessionStorage, and what they start with: constants of modules that use them, named `…key` or `…prefix`. */
export function findStorageKeys(file: string, source: string): string[] {
  if (!/\b(?:localStorage|sessionStorage|readStored|writeStored|listStoredKeys|removeStored)\b/.test(source))
    return []
  const constants = walk(parse(file, source)).filter(
    (node) =>
      node.type === 'VariableDeclarator' &&
      /(?:key|prefix|prefixes)$/i.test(String((node['id'] as Node)['name'])),
  )
  const values = constants.flatMap(({ init }) => {
    if (!isNode(init)) return []
    return init.type === 'ObjectExpression'
      ? (init['properties'] as Node[]).map(({ value }) => value)
      : [init]
  })
  return sort(values.flatMap((value) => textIn(value) ?? []))
}

/** Members of a union of object types, each after its `type`: `start messageId messageMetadata`. */
export function findUnionMembers(file: string, source: string, typeName: string): string[] {
  const declared = walk(parse(file, source)).find(
    (node) => node.type === 'TSTypeAliasDeclaration' && (node['id'] as Node)['name'] === typeName,
  )
  if (!declared) throw new Error(`${file} has no type ${typeName}`)
  const objects = children(declared['typeAnnotation'] as Node).filter(({ type }) => type === 'TSTypeLiteral')
  return sort(
    objects.map((object) => {
      const members = (object['members'] as Node[]).filter(({ type }) => type === 'TSPropertySignature')
      const type = members.find((member) => nameOf(member) === 'type')
      const rest = members.filter((member) => member !== type).flatMap((member) => nestedNames(member))
      return [walk(type ?? object).find((node) => node.type === 'Literal')?.['value'], ...rest].join(' ')
    }),
  )
}

const schemaMethods = new Set(['object', 'strictObject', 'looseObject', 'extend', 'safeExtend'])
const expressionMembers = new Set([
  'update',
  'condition',
  'UpdateExpression',
  'ConditionExpression',
  'ProjectionExpression',
  'FilterExpression',
  'KeyConditionExpression',
])
/** an assignment, a comparison or a function of DynamoDB's expressions */
const expression = /(?:[#\w]+ (?:=|<=|>=|<|>|<>) :\w)|attribute_(?:not_)?exists\(|begins_with\(/
/** a key of the table, `RUN#…`, or of an object, `users/…` */
const key = /^(?:[A-Z]+#|(?:users|incoming|previews|exports)\/)/

const sort = (names: Iterable<string>) => [...new Set(names)].toSorted()

const firstArgument = (call: Node) => (call['arguments'] as Node[])[0]

function calledMethod(call: Node): string {
  const callee = call['callee'] as Node
  return callee.type === 'MemberExpression' ? String((callee['property'] as Node)['name']) : ''
}

function nameOf(member: Node): string {
  const key = member['key']
  return isNode(key) ? String(key['name'] ?? key['value']) : ''
}

function memberNames(node: unknown): string[] {
  if (!isNode(node) || node.type !== 'ObjectExpression') return []
  return (node['properties'] as Node[]).filter(({ type }) => type === 'Property').map(nameOf)
}

/** `data.usage` for members of members. */
function nestedNames(member: Node): string[] {
  const name = nameOf(member)
  const annotation = (member['typeAnnotation'] as Node)['typeAnnotation'] as Node
  if (annotation.type !== 'TSTypeLiteral') return [name]
  const below = (annotation['members'] as Node[]).flatMap((inner) => nestedNames(inner))
  return [name, ...below.map((inner) => `${name}.${inner}`)]
}

/** The text of a literal; of a template, `${}` is in the place of what varies. */
function textIn(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined
  if (node.type !== 'TemplateLiteral') return undefined
  const quasis = node['quasis'] as Node[]
  return quasis.map((part) => (part['value'] as { cooked: string }).cooked).join('${}')
}
