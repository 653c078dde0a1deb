import { posix } from 'node:path'
import { parse, walk, withoutType, type Node } from './syntax-tree.ts'

/** Reads the source of a file, by its path from the root. */
type ReadSource = (file: string) => string
type Value = string | readonly string[]

const programs = new Map<string, readonly Node[]>()

/** The statements of a file, exports as what they export. */
function listStatements(file: string, readSource: ReadSource): readonly Node[] {
  const text = readSource(file)
  const key = `${file}\n${text}`
  const found =
    programs.get(key) ??
    (parse(file, text)['body'] as Node[]).map((node) =>
      node.type === 'ExportNamedDeclaration' ? ((node['declaration'] as Node | null) ?? node) : node,
    )
  programs.set(key, found)
  return found
}

/** The path of a module of this repository, from the root; undefined for packages. */
function resolveModule(from: string, name: string): string | undefined {
  if (name.startsWith('#shared/')) return name.slice(1)
  return name.startsWith('.') ? posix.join(posix.dirname(from), name) : undefined
}

/** What a name stands for: a constant of the file's top level, or one that it imports. */
function findConstant(
  name: string,
  file: string,
  readSource: ReadSource,
): { node: Node; file: string } | undefined {
  for (const node of listStatements(file, readSource)) {
    if (node.type === 'VariableDeclaration' && node['kind'] === 'const')
      for (const { id, init } of node['declarations'] as { id: Node; init: Node | null }[])
        if (id['name'] === name && init) return { node: init, file }
    if (node.type !== 'ImportDeclaration') continue
    const specifier = (node['specifiers'] as Node[]).find((one) => (one['local'] as Node)['name'] === name)
    const module = specifier && resolveModule(file, String((node['source'] as Node)['value']))
    const imported = (specifier?.['imported'] as Node | undefined)?.['name']
    if (module !== undefined && typeof imported === 'string')
      return findConstant(imported, module, readSource)
  }
  return undefined
}

/** Texts of parameters, by their names. */
type Parameters = ReadonlyMap<string, string>

function evaluate(
  typed: Node,
  file: string,
  readSource: ReadSource,
  parameters: Parameters = new Map(),
): Value | undefined {
  const node = withoutType(typed)
  if (!node) return undefined
  const evaluateAll = (nodes: readonly Node[]): string[] | undefined => {
    const values = nodes.map((one) => evaluate(one, file, readSource, parameters))
    return values.every((value) => typeof value === 'string') ? values : undefined
  }
  const fill = (template: Node, name: 'cooked' | 'raw') => {
    const values = evaluateAll(template['expressions'] as Node[])
    const quasis = template['quasis'] as { value: { cooked: string; raw: string } }[]
    return values && quasis.map(({ value }, index) => value[name] + (values[index] ?? '')).join('')
  }
  const regex = node['regex'] as { pattern: string } | undefined
  if (regex) return regex.pattern
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' || typeof node['value'] === 'number'
        ? String(node['value'])
        : undefined
    case 'TemplateLiteral':
      return fill(node, 'cooked')
    case 'TaggedTemplateExpression': {
      const { object, property } = node['tag'] as { object?: Node; property?: Node }
      const isRaw = object?.['name'] === 'String' && property?.['name'] === 'raw'
      return isRaw ? fill(node['quasi'] as Node, 'raw') : undefined
    }
    case 'BinaryExpression': {
      const parts = evaluateAll([node['left'] as Node, node['right'] as Node])
      return node['operator'] === '+' ? parts?.join('') : undefined
    }
    case 'ArrayExpression':
      return evaluateAll(node['elements'] as Node[])
    case 'Identifier': {
      const parameter = parameters.get(String(node['name']))
      if (parameter !== undefined) return parameter
      const found = findConstant(String(node['name']), file, readSource)
      return found && evaluate(found.node, found.file, readSource)
    }
    case 'MemberExpression':
      // of an expression
      return (node['property'] as Node)['name'] === 'source'
        ? evaluate(node['object'] as Node, file, readSource, parameters)
        : undefined
    case 'NewExpression': {
      const [source] = node['arguments'] as Node[]
      return (node['callee'] as Node)['name'] === 'RegExp' && source
        ? evaluate(source, file, readSource, parameters)
        : undefined
    }
    case 'CallExpression': {
      const { object, property } = node['callee'] as { object?: Node; property?: Node }
      const value = object && evaluate(object, file, readSource, parameters)
      const [first, second] = evaluateAll(node['arguments'] as Node[]) ?? []
      if (value === undefined || first === undefined) return undefined
      if (typeof value === 'object') return property?.['name'] === 'join' ? value.join(first) : undefined
      return property?.['name'] === 'replaceAll' && second !== undefined
        ? value.replaceAll(first, second)
        : undefined
    }
    default:
      return undefined
  }
}

/**
 * Evaluates code that makes a text of constants: literals, templates, `String.raw`, sums, `join` of a list, `replaceAll`, expressions and their
 * source, and names of these, also imported ones.
 * @param file in which the code is, from the root
 * @returns undefined for everything else
 */
export function evaluateText(
  node: Node,
  file: string,
  readSource: ReadSource,
  parameters?: Parameters,
): string | undefined {
  const value = evaluate(node, file, readSource, parameters)
  return typeof value === 'string' ? value : undefined
}

/**
 * What the calls of a function of a file give its parameters, if it is a constant of the top level.
 * @param inner code of the function
 * @returns undefined if it is none, is exported or handed on, or is called with anything but constants
 */
export function listParameters(inner: Node, file: string, readSource: ReadSource): Parameters[] | undefined {
  const program = parse(file, readSource(file))
  const isAround = ({ start, end }: Node) => start <= inner.start && Number(end) >= Number(inner['end'])
  const statement = (program['body'] as Node[]).find(isAround)
  const [declared] = (statement?.['declarations'] ?? []) as { id: Node; init: Node | null }[]
  if (!declared?.init || declared.init.type !== 'ArrowFunctionExpression') return undefined
  const names = (declared.init['params'] as Node[]).map(({ name }) => String(name))
  const uses = walk(program).filter(
    (node) =>
      node.type === 'Identifier' && node['name'] === declared.id['name'] && node.start !== declared.id.start,
  )
  const calls = walk(program).filter(
    (node) =>
      node.type === 'CallExpression' && uses.some(({ start }) => start === (node['callee'] as Node).start),
  )
  if (calls.length === 0 || calls.length < uses.length) return undefined
  const given = calls.map((call) => {
    const values = (call['arguments'] as Node[]).map((one) => evaluateText(one, file, readSource))
    return values.every((value) => value !== undefined)
      ? new Map(
          names.flatMap((name, index) =>
            values[index] === undefined ? [] : [[name, values[index]] as const],
          ),
        )
      : undefined
  })
  return given.every((one) => one !== undefined) ? given : undefined
}
