import { EquationReader, group, script, type MathNode } from './read-equation.ts'
import { parseXml } from './read-package.ts'

const invisible = /[\u2061-\u2064]/g
const tokens = new Set(['mi', 'mn', 'mo', 'mtext', 'ms'])
/** Signs above and below a letter, as combining ones. */
const accents = new Map(
  '^\u0302 ˆ\u0302 ¯\u0304 ‾\u0304 _\u0332 ~\u0303 ˜\u0303 ˙\u0307 ¨\u0308 →\u20d7'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)] as const),
)

/** Operators between two terms; one behind nothing, or behind another operator, is a sign. */
const isBetween = ({ name, text }: MathNode, before: MathNode | undefined) =>
  name === 'mo' &&
  /^[=+\-−±×·÷<>≤≥≠≈→∈]$/.test(text.trim()) &&
  before !== undefined &&
  (before.name !== 'mo' || /^[)\]}|!′]$/.test(before.text.trim()))

const join = (nodes: readonly MathNode[]) =>
  nodes
    .map((node, at) => {
      const before = nodes[at - 1]
      if (isBetween(node, before)) return ` ${writeMath(node)} `
      // what follows a fraction is no part of its denominator
      return before?.name === 'mfrac' && node.name !== 'mo' ? ` ${writeMath(node)}` : writeMath(node)
    })
    .join('')
const writeChild = ({ children }: MathNode, at: number) => {
  const child = children[at]
  return child ? writeMath(child).trim() : ''
}

function writeOver(node: MathNode, sign: '^' | '_'): string {
  const [base, over] = [writeChild(node, 0), writeChild(node, 1)]
  const accent = accents.get(over)
  return accent ? `${group(base)}${accent}` : `${base}${script(sign, over)}`
}

const writers: Readonly<Record<string, (node: MathNode) => string>> = {
  mfrac: (node) =>
    /^0(?:\.0*)?[a-z]{0,3}$/.test(node.attributes['linethickness'] ?? '')
      ? `(${writeChild(node, 0)} atop ${writeChild(node, 1)})`
      : `${group(writeChild(node, 0))}/${group(writeChild(node, 1))}`,
  msup: (node) => `${group(writeChild(node, 0))}${script('^', writeChild(node, 1))}`,
  msub: (node) => `${group(writeChild(node, 0))}${script('_', writeChild(node, 1))}`,
  msubsup: (node) =>
    `${group(writeChild(node, 0))}${script('_', writeChild(node, 1))}${script('^', writeChild(node, 2))}`,
  mover: (node) => writeOver(node, '^'),
  munder: (node) => writeOver(node, '_'),
  munderover: (node) =>
    `${writeChild(node, 0)}${script('_', writeChild(node, 1))}${script('^', writeChild(node, 2))} `,
  msqrt: ({ children }) => `√(${join(children)})`,
  mroot: (node) => `root ${group(writeChild(node, 1))} of (${writeChild(node, 0)})`,
  mfenced: ({ attributes, children }) =>
    `${attributes['open'] ?? '('}${children.map(writeMath).join(attributes['separators']?.trim().slice(0, 1) ?? ',')}${attributes['close'] ?? ')'}`,
  mtable: ({ children }) =>
    `[${children.map((row) => row.children.map((cell) => writeMath(cell).trim()).join(', ')).join('; ')}]`,
  mspace: () => ' ',
  // the same formula in other words
  annotation: () => '',
  'annotation-xml': () => '',
  mphantom: () => '',
}

function writeMath(node: MathNode): string {
  const { name, text, children } = node
  if (Object.hasOwn(writers, name)) return writers[name]?.(node) ?? ''
  const inner = join(children)
  // pages have other elements in their texts
  if (children.length > 0 && !tokens.has(name)) return inner
  return `${text.replaceAll(invisible, '').replaceAll(/\s+/g, ' ').trim()}${inner}`
}

export const createMathReader = () => new EquationReader(writeMath)

/** A formula of OpenDocument as its writer has typed it, or what its MathML shows. */
export function readMath(part: Uint8Array): string {
  const reader = createMathReader()
  let annotation = ''
  let isTyped = false
  parseXml(part, {
    open(name, attributes) {
      if (name === 'annotation') isTyped = true
      reader.open(name, attributes)
    },
    text(text) {
      if (isTyped) annotation += text
      reader.text(text)
    },
    close(name) {
      if (name === 'annotation') isTyped = false
      reader.close()
    },
  })
  return annotation.replaceAll(/\s+/g, ' ').trim() || reader.end()
}
