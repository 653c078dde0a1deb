import { parseSync } from 'vite'

/** The parts of test files' syntax trees that the tests about tests use. */

export interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

/** @throws SyntaxError with the file name when it does not parse */
export function parse(file: string, source: string): Node {
  const { errors, program } = parseSync(file, source)
  if (errors[0]) throw new SyntaxError(`${file}: ${errors[0].message}`)
  return program as unknown as Node
}

export function children(node: Node): Node[] {
  const found: Node[] = []
  for (const value of Object.values(node)) {
    if (isNode(value)) found.push(value)
    else if (Array.isArray(value)) for (const one of value) if (isNode(one)) found.push(one)
  }
  return found
}

/** The node and all its descendants, in source order. */
export function walk(node: Node, found: Node[] = []): Node[] {
  found.push(node)
  for (const child of children(node)) walk(child, found)
  return found
}

/** `expect`, `it`, `screen.findByText`: the names of a callee, calls in between left out. */
export function calleeNames(node: Node | undefined): string[] {
  if (!node) return []
  if (node.type === 'Identifier') return [String(node.name)]
  if (node.type === 'MemberExpression') {
    const property = node.property as Node
    return [...calleeNames(node.object as Node), property.type === 'Identifier' ? String(property.name) : '']
  }
  if (node.type === 'CallExpression') return calleeNames(node.callee as Node)
  if (node.type === 'TaggedTemplateExpression') return calleeNames(node.tag as Node)
  return ['']
}

export const isFunction = (node: Node | undefined) =>
  node?.type === 'ArrowFunctionExpression' ||
  node?.type === 'FunctionExpression' ||
  node?.type === 'FunctionDeclaration'

export function withoutType(node: Node | undefined): Node | undefined {
  const isTyped = node?.type === 'TSAsExpression' || node?.type === 'TSSatisfiesExpression'
  return isTyped ? withoutType(node.expression as Node) : node
}
