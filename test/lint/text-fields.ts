import { relative, join, sep } from 'node:path'

/**
 * The lint rule `fields/from-input`: the text of a text field is in an input (`web/src/lib/input/use-input.ts`), where it outlives the field.
 * The components for fields take nothing else; this sees the elements themselves.
 */

const root = join(import.meta.dirname, '../..')

const page = /^web\/src\//
const exempt = /\.test\.tsx?$/
/** The modules that make inputs. */
const makers = /^web\/src\/lib\/input\/(?:text|use)-input\.ts$/
/** Inputs without a text that a person types. */
const typesWithoutText = new Set<unknown>(['checkbox', 'radio', 'file', 'hidden', 'range'])

interface Node {
  readonly type: string
  readonly name?: Node | string
  readonly value?: Node | string | null
  readonly argument?: Node
  readonly callee?: Node
  readonly property?: Node
  readonly typeName?: Node
  readonly typeAnnotation?: Node
  readonly attributes?: readonly Node[]
}

interface RuleContext {
  readonly filename: string
  report(problem: { node: Node; message: string }): void
}

const nameOf = (node: Node | string | undefined | null): unknown =>
  typeof node === 'object' ? node?.name : node
const findAttribute = (element: Node, name: string) =>
  element.attributes?.find(
    (attribute) => attribute.type === 'JSXAttribute' && nameOf(attribute.name) === name,
  )
const literalOf = (attribute: Node | undefined): unknown =>
  typeof attribute?.value === 'object' ? attribute.value?.value : undefined

/** Whether it is spread from `bind`, or a function named after it. */
const isBound = ({ attributes = [] }: Node) =>
  attributes.some(
    ({ type, argument }) =>
      type === 'JSXSpreadAttribute' &&
      String(nameOf(argument?.callee?.property ?? argument?.callee)).startsWith('bind'),
  )

const rule = {
  create(context: RuleContext) {
    const file = relative(root, context.filename).split(sep).join('/')
    if (!page.test(file) || exempt.test(file)) return {}
    const report = (node: Node) =>
      context.report({ node, message: 'the text of a field belongs into useInput: {...bind(input)}' })
    return {
      JSXOpeningElement(node: Node) {
        const tag = nameOf(node.name)
        if (findAttribute(node, 'contentEditable')) return report(node)
        if (tag !== 'input' && tag !== 'textarea') return
        const readOnly = findAttribute(node, 'readOnly')
        // one that is read-only under a condition is typed into at other times
        const isNeverTyped = readOnly !== undefined && readOnly.value === null
        if (isNeverTyped || typesWithoutText.has(literalOf(findAttribute(node, 'type')))) return
        const holdsText = ['value', 'defaultValue', 'onChange'].some((name) => findAttribute(node, name))
        if (!isBound(node) || holdsText) report(node)
      },
      TSAsExpression({ typeAnnotation }: Node) {
        const name = nameOf(typeAnnotation?.typeName)
        if (typeAnnotation && (name === 'TextInput' || name === 'Input') && !makers.test(file))
          report(typeAnnotation)
      },
    }
  },
}

export default { meta: { name: 'fields' }, rules: { 'from-input': rule } }
