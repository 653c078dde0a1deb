import { relative, join, sep } from 'node:path'

/**
 * The lint rule `page/no-literal-text`: texts of the page stand in Lingui's macros, so that a translation finds all of them. It
 * sees the text of elements, the attributes and properties that hold a text, toasts and announcements.
 */

const root = join(import.meta.dirname, '../..')

const page = /^web\/src\/(?:app|components|features|lib)\//
/** Tests, and two modules that are lists of names and texts themselves. */
const exempt = /\.test\.tsx?$|\/(?:setup-guides|markdown\/highlight)\.ts$/

const textAttribute =
  /^(?:alt|text|hint|subtitle|action|(?:.*-)?(?:\w*label|title|placeholder|description))$/i
const textProperty = /^(?:label|title|subtitle|description|hint|placeholder|consequence)$/
/** Functions that show their argument at this position. */
const textArguments: Readonly<Record<string, number>> = { showToast: 1, announce: 0 }

const hasLetters = (text: unknown) => typeof text === 'string' && /\p{L}/u.test(text)

interface Node {
  readonly type: string
  readonly value?: unknown
  readonly name?: unknown
  readonly parent?: Element
}
type Parts = Record<
  'expression' | 'consequent' | 'alternate' | 'left' | 'right' | 'callee' | 'key' | 'object',
  Node
>
interface Element extends Node, Partial<Parts> {
  readonly quasis?: readonly { readonly value: { readonly cooked?: string } }[]
  readonly expressions?: readonly Node[]
  readonly children?: readonly Node[]
  readonly arguments?: readonly Node[]
  readonly property?: Node
  readonly openingElement?: { readonly name: { readonly name?: unknown } }
}

/** The first literal text of an expression: itself, or of a condition's branches, a sum or a template. */
function findLiteralText(node: Node | null | undefined): Node | undefined {
  if (!node) return undefined
  const { expression, consequent, alternate, left, right, quasis } = node as Element
  switch (node.type) {
    case 'Literal':
    case 'JSXText':
      return hasLetters(node.value) ? node : undefined
    case 'TemplateLiteral':
      return quasis?.some(({ value }) => hasLetters(value.cooked)) ? node : undefined
    case 'ConditionalExpression':
      return findLiteralText(consequent) ?? findLiteralText(alternate)
    case 'LogicalExpression':
    case 'BinaryExpression':
      return node.type === 'BinaryExpression' && (node as { operator?: string }).operator !== '+'
        ? undefined
        : (findLiteralText(left) ?? findLiteralText(right))
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
      return findLiteralText(expression)
    default:
      return undefined
  }
}

interface RuleContext {
  readonly filename: string
  report(problem: { node: Node; message: string }): void
}

const rule = {
  create(context: RuleContext) {
    const file = relative(root, context.filename).split(sep).join('/')
    if (!page.test(file) || exempt.test(file)) return {}
    const check = (node: Node | null | undefined) => {
      const found = findLiteralText(node)
      if (found) context.report({ node: found, message: 'a text of the page belongs in a macro' })
    }
    const isInTrans = (node: Element | null | undefined): boolean =>
      !!node && (node.openingElement?.name.name === 'Trans' || isInTrans(node.parent))
    const checkChildren = (element: Element) => {
      if (!isInTrans(element)) element.children?.forEach(check)
    }
    return {
      JSXElement: checkChildren,
      JSXFragment: checkChildren,
      JSXAttribute: ({ name, value }: Node) => {
        if (textAttribute.test(String((name as Node).name))) check(value as Node | null)
      },
      Property: ({ key, value, parent: object }: Element) => {
        const isClass = object?.parent?.key?.name === 'classNames'
        if (textProperty.test(String(key?.name)) && !isClass) check(value as Node)
      },
      CallExpression: ({ callee, arguments: args }: Element) =>
        check(args?.[textArguments[String(callee?.name)] ?? -1]),
      AssignmentExpression: ({ left, right }: Element) => {
        const { property } = left as Element
        if (property?.name === 'title' || property?.name === 'textContent') check(right)
      },
    }
  },
}

export default { meta: { name: 'page' }, rules: { 'no-literal-text': rule } }
