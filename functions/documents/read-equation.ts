import { readAttribute, type XmlAttributes } from './read-package.ts'

// Writes Office Math (ECMA-376-1, 22.1) in one line, in the notation that people type: (a+b)/2, x^2, √(x).

export interface MathNode {
  name: string
  attributes: XmlAttributes
  children: MathNode[]
  text: string
}

const find = (node: MathNode | undefined, name: string) => node?.children.find((child) => child.name === name)

function readProperty(node: MathNode, name: string): string | undefined {
  const properties = node.children.find((child) => child.name.endsWith('Pr'))
  const property = find(properties, name)
  return property && readAttribute(property.attributes, 'val')
}

const join = (nodes: readonly MathNode[]) => nodes.map(write).join('')
const writePart = (node: MathNode, name: string) => join(find(node, name)?.children ?? []).trim()

export function group(text: string): string {
  return /^(?:[\p{N}.,]*|\p{L}\p{M}*)$/u.test(text) || /^\([^()]*\)$/.test(text) ? text : `(${text})`
}

export const script = (sign: '^' | '_', text: string) => (text === '' ? '' : `${sign}${group(text)}`)

const isStack = (node: MathNode) => node.name === 'f' && readProperty(node, 'type') === 'noBar'

function findBinomial(node: MathNode): MathNode | undefined {
  const isRound =
    (readProperty(node, 'begChr') ?? '(') === '(' && (readProperty(node, 'endChr') ?? ')') === ')'
  const [part, ...others] = node.children.filter(({ name }) => name === 'e')
  const [inner, ...rest] = (part?.children ?? []).filter(({ name }) => !name.endsWith('Pr'))
  return isRound && others.length === 0 && rest.length === 0 && inner && isStack(inner) ? inner : undefined
}

const writers: Readonly<Record<string, (node: MathNode) => string>> = {
  f: (node) =>
    isStack(node)
      ? `(${writePart(node, 'num')} atop ${writePart(node, 'den')})`
      : `${group(writePart(node, 'num'))}/${group(writePart(node, 'den'))}`,
  sSup: (node) => `${group(writePart(node, 'e'))}${script('^', writePart(node, 'sup'))}`,
  sSub: (node) => `${group(writePart(node, 'e'))}${script('_', writePart(node, 'sub'))}`,
  sSubSup: (node) =>
    `${group(writePart(node, 'e'))}${script('_', writePart(node, 'sub'))}${script('^', writePart(node, 'sup'))}`,
  sPre: (node) =>
    `${script('_', writePart(node, 'sub'))}${script('^', writePart(node, 'sup'))}${group(writePart(node, 'e'))}`,
  rad: (node) => {
    const degree = writePart(node, 'deg')
    return `${degree === '' ? '√' : `root ${group(degree)} of `}(${writePart(node, 'e')})`
  },
  nary: (node) =>
    `${readProperty(node, 'chr') ?? '∫'}${script('_', writePart(node, 'sub'))}${script('^', writePart(node, 'sup'))} ${writePart(node, 'e')}`,
  d: (node) => {
    const binomial = findBinomial(node)
    if (binomial) return `(${writePart(binomial, 'num')} choose ${writePart(binomial, 'den')})`
    const parts = node.children.filter(({ name }) => name === 'e').map(({ children }) => join(children))
    return `${readProperty(node, 'begChr') ?? '('}${parts.join(readProperty(node, 'sepChr') ?? '|')}${readProperty(node, 'endChr') ?? ')'}`
  },
  func: (node) => `${writePart(node, 'fName')} ${group(writePart(node, 'e'))}`,
  limLow: (node) => `${writePart(node, 'e')}${script('_', writePart(node, 'lim'))}`,
  limUpp: (node) => `${writePart(node, 'e')}${script('^', writePart(node, 'lim'))}`,
  acc: (node) => `${group(writePart(node, 'e'))}${readProperty(node, 'chr') ?? '\u0302'}`,
  // below, unless it says that it is above
  bar: (node) => `${group(writePart(node, 'e'))}${readProperty(node, 'pos') === 'top' ? '\u0304' : '\u0332'}`,
  m: (node) =>
    `[${node.children
      .filter(({ name }) => name === 'mr')
      .map((row) => row.children.map(({ children }) => join(children)).join(', '))
      .join('; ')}]`,
  eqArr: (node) =>
    node.children
      .filter(({ name }) => name === 'e')
      .map(({ children }) => join(children))
      .join('; '),
}

function write(node: MathNode): string {
  if (node.name === 't') return node.text
  if (node.name.endsWith('Pr')) return ''
  return (Object.hasOwn(writers, node.name) && writers[node.name]?.(node)) || join(node.children)
}

const maxDepth = 100

export class EquationReader {
  readonly #write: (node: MathNode) => string
  readonly #root: MathNode = { name: '', attributes: {}, children: [], text: '' }
  readonly #open: MathNode[] = [this.#root]
  #tooDeep = 0

  constructor(writeNode: (node: MathNode) => string = write) {
    this.#write = writeNode
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.#open.length >= maxDepth) {
      this.#tooDeep += 1
      return
    }
    const node: MathNode = { name, attributes, children: [], text: '' }
    this.#open.at(-1)?.children.push(node)
    this.#open.push(node)
  }

  text(text: string): void {
    const node = this.#open.at(-1)
    if (node) node.text += text
  }

  close(): void {
    if (this.#tooDeep > 0) this.#tooDeep -= 1
    else if (this.#open.length > 1) this.#open.pop()
  }

  end(): string {
    return this.#root.children.map(this.#write).join('').replaceAll(/\s+/g, ' ').trim()
  }
}
