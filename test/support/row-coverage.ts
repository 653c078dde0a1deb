import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import {
  calleeNames,
  children,
  isFunction,
  isNode,
  type Node,
  parse,
  walk,
  withoutType,
} from './syntax-tree.ts'

/**
 * Which rows of test/spec/requirements.tsv the test files cover, read from their syntax trees.
 *
 * A test covers the rows that its title names (the cells of its `it.each` table included) when they are at most
 * `maxRows` and it has at least one expectation for each. An expectation is
 *   - a call of `expect`, or of a helper named `expect…`
 *   - a query that stands alone and fails without an element: `await screen.findByText('…')`, `await locator.waitFor()`,
 *     `await page.waitForURL('…')`
 *   - an assertion of the CDK about a template, or `fc.assert` without an `expect` in it
 * Expectations count where the test has them, and in helpers that it calls, one level deep: functions of the same
 * file, and of test/support (there without `waitFor`, which is a step of the helper's own).
 * The cases of a table share their expectations: two cases with one each are enough for two rows.
 * A test with the tag `trial` covers nothing: CI does not run it.
 * An expectation whose message names a row (`expect(value, 'LIB-19')`) covers that row by itself. A row in the title
 * of a `describe` is covered by the tests within it that name no other row.
 */

export const maxRows = 3

/** A test, one case of an `it.each`, or a named expectation. */
export interface NamedTest {
  /** from the root of the project */
  readonly file: string
  readonly line: number
  readonly title: string
  readonly ids: readonly string[]
  readonly expectations: number
}

/** Why no test covers a row; a covered row has no gap. */
export type Gap = 'no test' | 'bulk title' | 'too few expectations'

type Functions = ReadonlyMap<string, Node>

interface Scope {
  readonly file: string
  readonly source: string
  /** functions and constants of the file by name */
  readonly declared: Functions
  /** functions of test/support that the file imports, by their name here */
  readonly support: Functions
}

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const idPattern = /\b[A-Z]+-\d{2,3}\b/g
/** The IDs in the strings of a piece of code. */
function idsWithin(node: Node): string[] {
  const texts = walk(node).map((part) =>
    part.type === 'TemplateElement'
      ? (part.value as { raw: string }).raw
      : part.type === 'Literal' && typeof part.value === 'string'
        ? part.value
        : '',
  )
  return texts.flatMap((text) => text.match(idPattern) ?? [])
}

/** The cases of a table: the elements of an array literal, also in a constant or before `.map`. */
function listCases(node: Node | undefined, scope: Scope): Node[] {
  const table = withoutType(node)
  if (!table) return []
  if (table.type === 'Identifier') return listCases(scope.declared.get(String(table.name)), scope)
  if (table.type === 'ArrayExpression')
    return (table.elements as (Node | null)[]).flatMap((element) =>
      element?.type === 'SpreadElement' ? listCases(element.argument as Node, scope) : (element ?? []),
    )
  if (table.type === 'CallExpression') {
    const callee = table.callee as Node
    if (calleeNames(callee).join('.') === 'Object.entries')
      return listCases((table.arguments as Node[])[0], scope)
    return callee.type === 'MemberExpression' ? listCases(callee.object as Node, scope) : []
  }
  if (table.type === 'ObjectExpression') return table.properties as Node[]
  return []
}

const templateAssertion =
  /^(hasResource|hasResourceProperties|resourceCountIs|resourcePropertiesCountIs|hasOutput|hasNo)$/
const failingQuery = /^(findBy|findAllBy|getBy|getAllBy)/

function countDirectly(body: Node, { waits }: { waits: boolean }): number {
  let count = 0
  for (const node of walk(body)) {
    if (node.type === 'ExpressionStatement') {
      const expression = node.expression as Node
      const call = expression.type === 'AwaitExpression' ? (expression.argument as Node) : expression
      const names = call.type === 'CallExpression' ? calleeNames(call.callee as Node) : []
      if (failingQuery.test(names.at(-1) ?? '')) count += 1
      continue
    }
    if (node.type !== 'CallExpression') continue
    const callee = node.callee as Node
    const names = calleeNames(callee)
    if (callee.type === 'Identifier' && /^expect([A-Z]|$)/.test(names[0] ?? '')) count += 1
    else if (names.length === 2 && names[0] === 'expect' && /^(poll|soft|unreachable)$/.test(names[1] ?? ''))
      count += 1
    else if (names.length > 1 && templateAssertion.test(names.at(-1) ?? '')) count += 1
    else if (waits && names.length > 1 && /^waitFor(URL)?$/.test(names.at(-1) ?? '') && names[0] !== 'vi')
      count += 1
    else if (
      names.join('.') === 'fc.assert' &&
      countDirectly((node.arguments as Node[])[0] ?? node, { waits }) === 0
    )
      count += 1
  }
  return count
}

/** The expectations of a test, with those of the helpers that it calls. */
function countExpectations(body: Node, { declared, support }: Scope): number {
  let count = countDirectly(body, { waits: true })
  for (const node of walk(body)) {
    if (node.type !== 'CallExpression' || (node.callee as Node).type !== 'Identifier') continue
    const name = String((node.callee as Node).name)
    const own = declared.get(name)
    const imported = support.get(name)
    const isCounted = /^expect([A-Z]|$)/.test(name) ? 1 : 0 // the call itself
    if (isFunction(own)) count += Math.max(0, countDirectly(own as Node, { waits: true }) - isCounted)
    else if (isFunction(imported))
      count += Math.max(0, countDirectly(imported as Node, { waits: false }) - isCounted)
  }
  return count
}

/** Functions and constants that a file declares at any level, by name. */
function declarations(program: Node): Map<string, Node> {
  const declared = new Map<string, Node>()
  for (const node of walk(program)) {
    const name = (node.id as Node | undefined)?.name
    if (typeof name !== 'string') continue
    if (node.type === 'FunctionDeclaration') declared.set(name, node)
    if (node.type === 'VariableDeclarator' && isNode(node.init))
      declared.set(name, withoutType(node.init) ?? node.init)
  }
  return declared
}

const declaredIn = new Map<string, Functions>()

async function readDeclarations(path: string): Promise<Functions> {
  const known = declaredIn.get(path)
  if (known) return known
  const declared = declarations(parse(path, await readFile(path, 'utf8')))
  declaredIn.set(path, declared)
  return declared
}

async function supportFunctions(file: string, program: Node): Promise<Map<string, Node>> {
  const found = new Map<string, Node>()
  for (const node of program.body as Node[]) {
    if (node.type !== 'ImportDeclaration') continue
    const path = join(root, dirname(file), String((node.source as Node).value))
    if (!path.includes(join('test', 'support') + sep) || !existsSync(path)) continue
    const declared = await readDeclarations(path)
    for (const specifier of node.specifiers as Node[]) {
      const imported = (specifier.imported as Node | undefined)?.name
      const helper = declared.get(String(imported))
      if (helper) found.set(String((specifier.local as Node).name), helper)
    }
  }
  return found
}

/**
 * The tests of a file that name rows.
 *
 * @param file its path from the root of the project
 * @param source its text
 * @throws SyntaxError where the file does not parse
 */
export async function readNamedTests(file: string, source: string): Promise<NamedTest[]> {
  if (!/\b[A-Z]+-\d{2,3}\b/.test(source)) return []
  const program = parse(file, source)
  const scope = {
    file,
    source,
    declared: declarations(program),
    support: await supportFunctions(file, program),
  }
  return [...testsWithin(program, scope, []), ...namedExpectations(program, scope)]
}

/** Whether a test's options, its second argument, are `{ tags: 'trial' }`. */
function isTrial(options: Node): boolean {
  if (options.type !== 'ObjectExpression') return false
  return (options.properties as Node[]).some(
    ({ key, value }) =>
      (key as Node | undefined)?.name === 'tags' && (value as Node | undefined)?.value === 'trial',
  )
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}

/** @param loop the cases of the loop around the test: `for (const [id] of table) it(…)` */
function testsWithin(node: Node, scope: Scope, loop: readonly Node[]): NamedTest[] {
  if (node.type === 'ForOfStatement') {
    const cases = listCases(node.right as Node, scope)
    return testsWithin(node.body as Node, scope, cases)
  }
  const { file, source } = scope
  const kind = node.type === 'CallExpression' ? calleeNames(node.callee as Node)[0] : undefined
  const args = node.type === 'CallExpression' ? (node.arguments as Node[]) : []
  const body = args.findLast(isFunction)
  const isTest = kind === 'it' || kind === 'test'
  if (isTest && args[1] && isTrial(args[1])) return []
  if (!body || !args[0] || (!isTest && kind !== 'describe'))
    return children(node).flatMap((child) => testsWithin(child, scope, loop))

  const title = source.slice(args[0].start, Number(args[0].end))
  const line = lineAt(source, node.start)
  const table =
    (node.callee as Node).type === 'CallExpression'
      ? ((node.callee as Node).arguments as Node[])[0]
      : undefined
  const cases = table ? listCases(table, scope) : loop
  const named = idsWithin(args[0])
  if (isTest) {
    const perCase = countExpectations(body, scope)
    const idsByCase = cases.map(idsWithin).filter((ids) => ids.length > 0)
    const total = perCase * Math.max(1, cases.length)
    const isEnough = total >= new Set([...named, ...idsByCase.flat()]).size
    return (idsByCase.length > 0 ? idsByCase : [[]])
      .map((ids) => [...new Set([...named, ...ids])])
      .map((ids) => ({
        file,
        line,
        title,
        ids,
        expectations: isEnough ? Math.max(perCase, ids.length) : perCase,
      }))
      .filter(({ ids }) => ids.length > 0)
  }
  const inner = testsWithin(body, scope, cases)
  if (named.length === 0) return inner
  const expectations = countUnnamed(body, scope)
  return [{ file, line, title, ids: [...new Set(named)], expectations }, ...inner]
}

/** The expectations of the tests within a `describe` whose own titles name no row. */
function countUnnamed(node: Node, scope: Scope): number {
  const kind = node.type === 'CallExpression' ? calleeNames(node.callee as Node)[0] : undefined
  if (kind !== 'it' && kind !== 'test')
    return children(node).reduce((sum, child) => sum + countUnnamed(child, scope), 0)
  const args = node.arguments as Node[]
  const body = args.findLast(isFunction)
  return body && args[0] && idsWithin(args[0]).length === 0 ? countExpectations(body, scope) : 0
}

function namedExpectations(program: Node, { file, source }: Scope): NamedTest[] {
  return walk(program).flatMap((node) => {
    if (node.type !== 'CallExpression' || calleeNames(node.callee as Node).join('.') !== 'expect') return []
    const message = (node.arguments as Node[])[1]
    if ((node.callee as Node).type !== 'Identifier' || !message) return []
    const ids = [...new Set(idsWithin(message))]
    if (ids.length === 0) return []
    return [
      { file, line: lineAt(source, node.start), title: `expect: ${ids.join(' ')}`, ids, expectations: 1 },
    ]
  })
}

/** Whether a test names few enough rows and expects something of each. */
function isCovering({ ids, expectations }: NamedTest): boolean {
  return ids.length <= maxRows && expectations >= ids.length
}

/**
 * Why a row is not covered.
 *
 * @param tests those that name the row
 * @returns null where one of them covers it
 */
export function findGap(tests: readonly NamedTest[]): Gap | null {
  if (tests.length === 0) return 'no test'
  if (tests.some(isCovering)) return null
  return tests.some(({ ids }) => ids.length <= maxRows) ? 'too few expectations' : 'bulk title'
}

/** The tests of the working tree by the rows that they name, including uncommitted files. */
export async function readTestsByRow(): Promise<Map<string, NamedTest[]>> {
  const files = ['--cached', '--others', '--exclude-standard', '--deduplicate']
  const tests = ['*.test.ts', '*.test.tsx']
  const { stdout } = await run('git', ['ls-files', '-z', ...files, '--', ...tests], { cwd: root })
  const byRow = new Map<string, NamedTest[]>()
  for (const name of stdout.split('\0').filter(Boolean)) {
    const source = await readFile(join(root, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '' // deleted, but not yet in the index
      throw error
    })
    for (const test of await readNamedTests(name, source))
      for (const id of test.ids) byRow.set(id, [...(byRow.get(id) ?? []), test])
  }
  return byRow
}
