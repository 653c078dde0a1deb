import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNode, parseModule, visit } from './messages.ts'
import type { Node } from './messages.ts'

/** Finds the sentences for users that the service sends, and those that it shares with the page: errors, and guides to providers. */

export interface ServiceSentence {
  /** with `{name}` for what varies */
  readonly text: string
  /** of the error contract */
  readonly code: string | undefined
}

const root = join(import.meta.dirname, '../..')

/** Modules whose sentences are all for users. */
const modulesOfSentences = [
  'shared/message-content.ts',
  'functions/mcp/errors.ts',
  'shared/chat-texts.ts',
  'shared/document-messages.ts',
  'shared/elicitation.ts',
  'shared/mail-recipients.ts',
  'shared/reconnect-reason.ts',
  'web/src/features/integrations/connect/setup-guides.ts',
]

const parse = (file: string) => parseModule(file, readFileSync(join(root, file), 'utf8'))

const findName = (node: Node): string => {
  if (node.type === 'Identifier') return String(node['name'])
  if (node.type === 'MemberExpression') return findName(node['property'] as Node)
  const [argument] = node.type === 'CallExpression' ? (node['arguments'] as Node[]) : []
  return argument ? findName(argument) : 'value'
}

const units = ['second', 'seconds', 'minute', 'minutes', 'hour', 'hours']
/** What sentences are made of, by functions of `shared`. */
const parts = [
  'Service error: {message}',
  'in a moment',
  // the longest first: its end would be taken for hours
  'Expires in {days}d {hours}h',
  'Expires in {hours}h',
  'Expires in {minutes}m',
  'Expired',
  ...units.flatMap((unit) => [`{count} ${unit}`, `in {count} ${unit}`]),
]

/** The texts that an expression may have; a choice has several. */
function expand(node: Node | undefined): string[] {
  if (!node) return []
  const { type } = node
  if (type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : []
  if (type === 'ParenthesizedExpression' || type === 'TSAsExpression')
    return expand(node['expression'] as Node)
  if (type === 'ArrowFunctionExpression') return expand(node['body'] as Node)
  if (type === 'ConditionalExpression')
    return [...expand(node['consequent'] as Node), ...expand(node['alternate'] as Node)]
  if (type !== 'TemplateLiteral') return []
  const expressions = node['expressions'] as Node[]
  const names = new Set<string>()
  return (node['quasis'] as Node[]).reduce(
    (texts, quasi, index) => {
      const { cooked } = quasi['value'] as { cooked: string }
      const expression = expressions[index]
      if (!expression) return texts.map((text) => text + cooked)
      const choices = expand(expression)
      let name = findName(expression)
      while (choices.length === 0 && names.has(name)) name += '2'
      names.add(name)
      return texts.flatMap((text) =>
        (choices.length > 0 ? choices : [`{${name}}`]).map((choice) => text + cooked + choice),
      )
    },
    [''],
  )
}

/** Of several words, and not only a placeholder with words around it. */
const isSentence = (text: string) =>
  !text.includes('}{') &&
  !text.endsWith(': ') &&
  /^[\p{Lu}{].* .*\p{L}/su.test(text.replaceAll(/\{\w+\}/g, '{'))

/** The sentences of errors: rows of `defineErrors` and `defineLimits`, `userMessage`, and the argument of `BadRequest`. */
function findErrors(program: Node): { texts: string[]; code?: string | undefined }[] {
  const found: { texts: string[]; code?: string | undefined }[] = []
  visit(program, (node) => {
    const callee = (node['callee'] as Node | undefined)?.['name']
    if (node.type === 'CallExpression' && /^define(?:Errors|Limits)$/.test(String(callee))) {
      for (const { value } of ((node['arguments'] as Node[])[0]?.['properties'] ?? []) as { value: Node }[]) {
        const row = value['elements'] as Node[]
        // an error has its status before the code
        const [code, text] = callee === 'defineErrors' ? row.slice(1) : row
        found.push({ texts: expand(text), code: String(code?.['value']) })
      }
      return true
    }
    if (node.type === 'NewExpression' && /^(?:BadRequest|SetupRequired)$/.test(String(callee)))
      found.push({ texts: expand((node['arguments'] as Node[])[0]) })
    if (node.type === 'AssignmentExpression' && findName(node['left'] as Node) === 'userMessage')
      found.push({ texts: expand(node['right'] as Node) })
    if (node.type === 'ClassBody' || node.type === 'ObjectExpression') {
      const values = new Map(
        ((node['body'] ?? node['properties']) as Node[]).map((member) => [
          isNode(member['key']) ? findName(member['key']) : '',
          member['value'],
        ]),
      )
      const [text, code] = [values.get('userMessage'), values.get('code')]
      if (isNode(text)) found.push({ texts: expand(text), code: isNode(code) ? expand(code)[0] : undefined })
    }
    return false
  })
  return found
}

/** The names of built-in tools, and what the cards of built-in integrations say. */
function findNames(): string[] {
  const names: string[] = []
  for (const file of globSync('functions/{capabilities,chat/tools}/*.ts', { cwd: root }).sort())
    if (!file.endsWith('.test.ts'))
      visit(parse(file), (node) => {
        const isTool =
          node.type === 'CallExpression' && /capability$/i.test(String((node['callee'] as Node)['name']))
            ? 'name'
            : file.includes('/chat/') && node.type === 'ObjectExpression' && 'title'
        if (isTool) {
          const object = [node, ...((node['arguments'] ?? []) as Node[])].find(
            (one) => one.type === 'ObjectExpression',
          )
          for (const property of (object?.['properties'] ?? []) as Node[])
            if (isNode(property['key']) && findName(property['key']) === isTool)
              names.push(...expand(property['value'] as Node))
        }
        return false
      })
  const providers = JSON.parse(readFileSync(join(root, 'functions/providers/built-in.json'), 'utf8')) as {
    description: string
    features: string[]
  }[]
  return [...names, ...providers.flatMap(({ description, features }) => [description, ...features])]
}

/** @returns each sentence once, in the order of modules */
export function collectServiceSentences(): ServiceSentence[] {
  const errors = globSync('functions/**/*.ts', { cwd: root, exclude: (name) => name.endsWith('.test.ts') })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => findErrors(parse(file)))
    .flatMap(({ texts, code }) => texts.map((text) => ({ text, code })))
  const others = modulesOfSentences.flatMap((file) => {
    const texts: string[] = []
    visit(parse(file), (node) => {
      const expanded = node.type === 'ImportDeclaration' ? [] : expand(node)
      texts.push(...expanded)
      return expanded.length > 0 || node.type === 'ImportDeclaration'
    })
    return texts.map((text) => ({ text, code: undefined }))
  })
  const byText = new Map<string, ServiceSentence>()
  for (const sentence of [...errors, ...others])
    if (isSentence(sentence.text) && !byText.get(sentence.text)?.code) byText.set(sentence.text, sentence)
  for (const text of [...parts, ...findNames()])
    if (!byText.has(text)) byText.set(text, { text, code: undefined })
  return [...byText.values()]
}
