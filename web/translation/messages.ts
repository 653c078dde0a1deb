import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { parseSync } from 'vite'

/** Finds the messages of the page: what stands in Lingui's macros `t`, `plural` and `Trans`. */

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** Whether the source of a module imports a macro. */
export const hasMacros = (source: string): boolean => /^import .*'@lingui\/\w+\/macro'$/m.test(source)

/** A part of a compiled message: text, `#`, or a placeholder with its kind and forms, as `@lingui/core` reads them. */
type Token = string | [placeholder: string | number, kind?: string, forms?: unknown]
type Tokens = string | Token[]

export interface Message {
  /** the English text as catalogues have it: ICU MessageFormat if it has placeholders, otherwise the text itself */
  readonly text: string
  /** tells two meanings of a text apart */
  readonly context: string | undefined
  /** by which the page looks a translation up */
  readonly id: string
  /** where the macro stands in its module */
  readonly start: number
  readonly end: number
  /** whether the macro is a child of an element, where an expression needs braces */
  readonly isChild: boolean
  /** source code of values, by their position */
  readonly values: readonly string[]
  /** source code of elements and nodes, by their position; undefined when the message is a string */
  readonly nodes: readonly string[] | undefined
  /** what a placeholder stands for */
  readonly placeholders: ReadonlyMap<string, { readonly kind: 'value' | 'node'; readonly index: number }>
}

/** The key of a message in the catalogues. */
export const toMessageKey = ({ text, context }: Pick<Message, 'text' | 'context'>): string =>
  context === undefined ? text : `${text} [${context}]`

/** Whether the text of a message is ICU MessageFormat. */
const hasPlaceholders = ({ placeholders, nodes }: Message) => placeholders.size > 0 || nodes !== undefined

/**
 * Compiles a message, or a translation of it, for `@lingui/core`.
 * @throws Error when it is not ICU MessageFormat or has a placeholder that the English message does not have
 */
export function compileText(message: Message, text: string): Tokens {
  if (!hasPlaceholders(message)) return text
  const findPlaceholder = (name: string | number) => {
    const found = message.placeholders.get(String(name))
    if (!found) throw new Error(`unknown placeholder {${name}}: ${text}`)
    return found
  }
  const compile = (tokens: Tokens): Tokens => {
    if (typeof tokens === 'string') return tokens
    const compiled: Token[] = []
    for (const token of tokens) {
      if (typeof token === 'string') {
        compiled.push(token)
        continue
      }
      const [name, kind, forms] = token
      const { kind: placed, index } = findPlaceholder(name)
      if (placed === 'node') compiled.push(`<${index}/>`)
      else if (kind === undefined) compiled.push([index])
      else if (kind === 'plural')
        compiled.push([
          index,
          kind,
          Object.fromEntries(
            Object.entries(forms as Record<string, Tokens | undefined>).flatMap(([form, part]) =>
              part === undefined ? [] : [[form, compile(part)]],
            ),
          ),
        ])
      else throw new Error(`{${name}, ${kind}} is not used here: ${text}`)
    }
    // texts beside each other are one
    return compiled.reduce<Token[]>((joined, token) => {
      const last = joined.at(-1)
      if (typeof token === 'string' && token !== '#' && typeof last === 'string' && last !== '#')
        joined[joined.length - 1] = last + token
      else joined.push(token)
      return joined
    }, [])
  }
  const compiled = compile(compileMessageOrThrow(text) as Tokens)
  return compiled.length === 1 && typeof compiled[0] === 'string' ? compiled[0] : compiled
}

/** The text of JSX children, as the compiler of JSX reads it: lines are trimmed and joined by a space. */
function cleanJsxText(text: string): string {
  const lines = text.split('\n')
  return lines
    .map((line, index) => {
      const untrimmed = index === 0 ? line : line.trimStart()
      return index === lines.length - 1 ? untrimmed : untrimmed.trimEnd()
    })
    .filter((line) => line !== '')
    .join(' ')
}

class MessageReader {
  readonly values: string[] = []
  readonly nodes: string[] = []
  readonly placeholders = new Map<string, { kind: 'value' | 'node'; index: number }>()
  readonly #sources = new Map<string, string>()
  readonly #source: string
  readonly #elements: number

  /** @param elements how many elements the message has; nodes are numbered after them */
  constructor(source: string, elements: number) {
    this.#source = source
    this.#elements = elements
  }

  #slice({ start, end }: Node) {
    return this.#source.slice(start, end)
  }

  fail(node: Node, problem: string): never {
    throw new Error(`${problem}: ${this.#slice(node)}`)
  }

  /** The name that translators see: that of a variable, of a property, of a label, or of a function's argument. */
  #nameOf(node: Node): string | undefined {
    if (node.type === 'Identifier') return String(node['name'])
    if (node.type === 'MemberExpression') return this.#nameOf(node['property'] as Node)
    const [argument] = node.type === 'CallExpression' ? (node['arguments'] as Node[]) : []
    return argument && this.#nameOf(argument)
  }

  #place(node: Node, kind: 'value' | 'node'): string {
    const [label] = node.type === 'ObjectExpression' ? (node['properties'] as Node[]) : []
    const code = this.#slice(label ? (label['value'] as Node) : node)
    const known = this.#sources.get(code)
    if (known !== undefined) return known
    const name =
      this.#nameOf(label ? (label['key'] as Node) : node) ?? this.fail(node, 'a placeholder needs a name')
    if (this.placeholders.has(name)) this.fail(node, 'two placeholders have the same name')
    const list = kind === 'value' ? this.values : this.nodes
    const index = kind === 'value' ? list.length : this.#elements + list.length
    list.push(code)
    this.placeholders.set(name, { kind, index })
    this.#sources.set(code, name)
    return name
  }

  #text(node: Node, text: string): string {
    if (/[{}]|'$/.test(text))
      this.fail(node, 'braces, and an apostrophe before a placeholder, mean something')
    return text
  }

  /** @param counted the value whose plural form this is */
  template(node: Node, counted?: string): string {
    if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
    if (node.type !== 'TemplateLiteral') this.fail(node, 'not a text')
    const expressions = node['expressions'] as Node[]
    return (node['quasis'] as Node[])
      .map((quasi, index) => {
        const { cooked } = quasi['value'] as { cooked: string }
        const expression = expressions[index]
        if (!expression) return expressions.length > 0 ? this.#text(quasi, `${cooked} `).slice(0, -1) : cooked
        return this.#text(quasi, cooked) + this.expression(expression, counted)
      })
      .join('')
  }

  expression(node: Node, counted?: string): string {
    if (isCall(node, 'plural')) return this.plural(node)
    const name = this.#place(node, 'value')
    return name === counted ? '#' : `{${name}}`
  }

  plural(call: Node): string {
    const [value, forms] = call['arguments'] as Node[]
    if (!value || forms?.type !== 'ObjectExpression') this.fail(call, 'plural needs a value and forms')
    const name = this.#place(value, 'value')
    const written = (forms['properties'] as Node[]).map((property) => {
      const key = property['key'] as Node
      const form = key.type === 'Literal' ? `=${String(key['value'])}` : String(key['name'])
      return `${form} {${this.template(property['value'] as Node, name)}}`
    })
    return `{${name}, plural, ${written.join(' ')}}`
  }

  /** @param place takes the next element's number */
  children(nodes: readonly Node[], place: (element: Node) => number): string {
    return nodes
      .map((child) => {
        if (child.type === 'JSXText') return this.#text(child, cleanJsxText(String(child['value'])))
        if (child.type === 'JSXElement') {
          const index = place(child)
          return `<${index}>${this.children(child['children'] as Node[], place)}</${index}>`
        }
        const expression = child['expression'] as Node
        if (expression.type === 'Literal') return String(expression['value'])
        if (isCall(expression, 'plural')) return this.plural(expression)
        return `{${this.#place(expression, 'node')}}`
      })
      .join('')
  }
}

const isCall = (node: Node, name: string) =>
  node.type === 'CallExpression' && (node['callee'] as Node)['name'] === name

function countElements(nodes: readonly Node[]): number {
  return nodes.reduce(
    (count, node) => count + (node.type === 'JSXElement' ? 1 + countElements(node['children'] as Node[]) : 0),
    0,
  )
}

function readTrans(node: Node, source: string) {
  const children = node['children'] as Node[]
  const reader = new MessageReader(source, countElements(children))
  const elements: string[] = []
  const text = reader.children(children, (element) => {
    const { start, end } = element['openingElement'] as Node
    return elements.push(`${source.slice(start, end - 1)} />`) - 1
  })
  return { reader, text, nodes: [...elements, ...reader.nodes] }
}

/** `t({ message, context })` */
function readDescriptor(node: Node, reader: MessageReader) {
  const properties = new Map(
    (node['properties'] as Node[]).map((property) => [
      String((property['key'] as Node)['name']),
      property['value'] as Node,
    ]),
  )
  const message = properties.get('message') ?? reader.fail(node, 'no message')
  const context = properties.get('context')
  return {
    text: isCall(message, 'plural') ? reader.plural(message) : reader.template(message),
    context: context && String(context['value']),
  }
}

function readMacro(node: Node, source: string, isChild: boolean): Message | undefined {
  const finish = (
    { values, placeholders }: MessageReader,
    text: string,
    context?: string,
    nodes?: readonly string[],
  ): Message => {
    const isPlain = placeholders.size === 0 && !nodes && context === undefined
    const id = isPlain ? text : generateMessageId(text, nodes ? `${context ?? ''}\n` : (context ?? ''))
    return { text, context, id, start: node.start, end: node.end, isChild, values, nodes, placeholders }
  }
  if (node.type === 'JSXElement') {
    if (((node['openingElement'] as Node)['name'] as Node)['name'] !== 'Trans') return undefined
    const { reader, text, nodes } = readTrans(node, source)
    return finish(reader, text, undefined, nodes)
  }
  const reader = new MessageReader(source, 0)
  if (isCall(node, 'plural')) return finish(reader, reader.plural(node))
  if (isCall(node, 't')) {
    const { text, context } = readDescriptor((node['arguments'] as Node[])[0] ?? node, reader)
    return finish(reader, text, context)
  }
  if (node.type === 'TaggedTemplateExpression' && (node['tag'] as Node)['name'] === 't')
    return finish(reader, reader.template(node['quasi'] as Node))
  return undefined
}

/** @throws SyntaxError with the file name when it does not parse */
export function parseModule(file: string, source: string): Node {
  const { errors, program } = parseSync(file, source)
  if (errors[0]) throw new SyntaxError(`${file}: ${errors[0].message}`)
  return program as unknown as Node
}

/** Calls back for a node and its descendants, but not for those of a node for which it returns true. */
export function visit(node: Node, enter: (node: Node) => boolean): void {
  if (enter(node)) return
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, enter)
}

/**
 * The messages of a module, in source order.
 * @throws Error with the file name when a macro has what cannot be translated
 */
export function readMessages(file: string, source: string): Message[] {
  const messages: Message[] = []
  const children = new Set<Node>()
  visit(parseModule(file, source), (node) => {
    if (/^JSX(?:Element|Fragment)$/.test(node.type))
      for (const child of node['children'] as Node[]) children.add(child)
    try {
      const message = readMacro(node, source, children.has(node))
      if (message) messages.push(message)
      return message !== undefined
    } catch (error) {
      throw new Error(`${file}: ${error instanceof Error ? error.message : ''}`, { cause: error })
    }
  })
  return messages
}

const src = join(import.meta.dirname, '../src')

/** Every message of the page by its key in the catalogues, in the order of modules. Messages of one key differ in what they are made of. */
export function collectMessages(): Map<string, Message[]> {
  const byKey = new Map<string, Message[]>()
  for (const file of globSync('**/*.{ts,tsx}', { cwd: src }).sort()) {
    const source = readFileSync(join(src, file), 'utf8')
    for (const message of hasMacros(source) ? readMessages(file, source) : [])
      byKey.set(toMessageKey(message), [...(byKey.get(toMessageKey(message)) ?? []), message])
  }
  return byKey
}
