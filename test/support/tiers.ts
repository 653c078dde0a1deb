import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { calleeNames, children, isFunction, type Node, parse } from './syntax-tree.ts'

/** Which of the dear tests `npm test` runs. The others have the tag `long`, by themselves or by a comment at the top of their file. */

/** What people do most: each is proved once, from the page to the stored data. */
export const journeys = [
  'AUTH-16 sign in with e-mail and password',
  'CHAT-11 CHAT-21 DEC-169 shows thinking, streams the reply',
  'CAP-02 CHAT-14 is shown as it will be sent, and sent after the approval',
  'DEC-195 CHAT-25 CHAT-26 a question about a docx',
  'OAUTH-01 OAUTH-03 OAUTH-10 connects in the window',
  'a conversation is shared from its menu with the keyboard',
  'what another tab has changed is not deleted unseen',
  'DEC-168 a result opens at its message',
  'SET-04 SET-14 DEC-127 has its cards in order',
  'the forms of the administration',
  'shows no horizontal scroll bar at any width',
  'CHAT-38 offline the typed text stays',
]

/** What a stranger’s document or text reaches: only a browser can tell. */
export const boundaries = [
  'DEC-012 hostile text is harmless',
  'DEC-185 that is hostile reaches nothing',
  'in a frame that it opened all the same, nothing runs',
  'opens no frame inside its frame, and no connection',
  'reaches neither the page nor the network',
  'runs nothing where a browser does not refuse what the policy refuses',
  'the diagram’s frame has no origin',
  'the frame has no origin, and neither it nor its worker',
]

/** What the build consists of: these open no page. */
export const ofTheBuild = [
  'a connection that carries six requests at once',
  'licences.txt has the licence of each package',
  'loads a few scripts',
  'search engines are told to ignore the page',
  'texts are in the scripts of the parts that show them',
  'the script that loads the catalogue imports no other one',
  'the sign-in page does not load the wizard',
]

/** Tests of the API whose settings no shared product can have: limits that end, rights by model, and models and servers of their own. */
export const withOwnProduct = [
  'test/api/group-rights.test.ts',
  'test/api/injections.test.ts',
  'test/api/rate-limit.test.ts',
]

export interface DearTest {
  readonly file: string
  readonly line: number
  readonly title: string
}

const root = join(import.meta.dirname, '../..')

/** The tests of a file that `npm test` runs, and the products that the file starts for them (not those that files share). */
export function listFirstTier(file: string, source: string): { tests: DearTest[]; starts: DearTest[] } {
  const found = { tests: [] as DearTest[], starts: [] as DearTest[] }
  const text = (node: Node) => source.slice(node.start, Number(node.end))
  const note = (list: DearTest[], node: Node, title: string) =>
    list.push({ file, line: source.slice(0, node.start).split('\n').length, title })
  const visit = (node: Node): void => {
    const args = node.type === 'CallExpression' ? (node.arguments as Node[]) : []
    const [name] = node.type === 'CallExpression' ? calleeNames(node.callee as Node) : []
    if (name === 'it' || name === 'test' || name === 'describe') {
      const [title, options] = args
      if (options && !isFunction(options) && /'(?:long|trial)'/.test(text(options))) return
      if (name !== 'describe' && title && options) note(found.tests, node, text(title).slice(1, -1))
    }
    if (name === 'startStack' || name === 'stackWithModel') note(found.starts, node, text(node))
    children(node).forEach(visit)
  }
  if (!/@module-tag (?:long|trial)/.test(source)) visit(parse(file, source))
  return found
}

/** @param folder `api` or `e2e` */
export function readFirstTier(folder: string) {
  return globSync(`test/${folder}/*.test.ts`, { cwd: root }).map((file) =>
    listFirstTier(file, readFileSync(join(root, file), 'utf8')),
  )
}
