import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { children, isFunction, parse, walk, type Node } from '../support/syntax-tree.ts'

/**
 * Not every screen reader announces a text that appears together with its live region. So a message is a `Status` or a `Callout`, whose text
 * comes after the region; an event is told by `announce`, an error has `role="alert"`, and a placeholder is a named `progressbar`. Only a text
 * that changes in an element that stays has a live region of its own; it is listed here.
 */

const root = join(import.meta.dirname, '../../web/src')
const files = globSync('**/*.tsx', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.test.tsx'))
  .toSorted()

interface Region {
  tag: Node
  element: Node
  isConditional: boolean
}

const getName = (tag: Node) => String((tag['name'] as Node)['name'])

/** Whether an opening tag makes a live region. */
function isLive(tag: Node): boolean {
  const attributes = (tag['attributes'] as Node[]).filter(({ type }) => type === 'JSXAttribute')
  const hasValue = (name: string, values: RegExp) =>
    attributes.some(
      (attribute) =>
        getName(attribute) === name &&
        walk(attribute).some(({ type, value }) => type === 'Literal' && values.test(String(value))),
    )
  return (
    getName(tag) === 'output' ||
    hasValue('role', /^(?:status|log)$/) ||
    hasValue('aria-live', /^(?:polite|assertive)$/)
  )
}

/** The live regions of a source. */
function findRegions(file: string, source: string): Region[] {
  const found: Region[] = []
  const visit = (node: Node, isConditional: boolean) => {
    const tag = node['openingElement'] as Node | undefined
    if (tag && isLive(tag)) found.push({ tag, element: node, isConditional })
    const isCondition = node.type === 'ConditionalExpression' || node.type === 'LogicalExpression'
    for (const child of children(node)) visit(child, isCondition || (isConditional && !isFunction(child)))
  }
  visit(parse(file, source), false)
  return found
}

/** Whether the element is not in the accessibility tree while it is empty. */
const isHidden = ({ tag }: Region) =>
  walk(tag).some(
    ({ type, value }) =>
      type === 'Literal' && /(?:^|\s)(?:empty:)?(?:hidden|invisible)(?:\s|$)/.test(String(value)),
  )

/** Whether the region contains what announces itself. */
const isTwice = ({ element }: Region) =>
  walk(element).some(
    (node) =>
      node.type === 'JSXOpeningElement' &&
      node !== element['openingElement'] &&
      (/^(?:Callout|Status)$/.test(getName(node)) || isLive(node)),
  )

const regions = files.flatMap((file) =>
  findRegions(file, readFileSync(join(root, file), 'utf8')).map((region) => ({ ...region, file })),
)
const findFiles = (isFault: (region: Region) => boolean) => regions.filter(isFault).map(({ file }) => file)

it('only a text that changes in an element that stays has a live region of its own', () => {
  expect(regions.map(({ file }) => file)).toEqual([
    'components/offline-bar.tsx',
    'components/schedule-fields/when-fields.tsx',
    'components/site-notice.tsx',
    'components/ui/announcer.tsx',
    'components/ui/callout.tsx',
    'components/ui/field.tsx',
    'components/ui/status.tsx',
    'features/account/delete-conversations-dialog.tsx',
    'features/admin/site/site-section.tsx',
    'features/admin/users/users-section.tsx',
    'features/chat/composer/composer-footer.tsx',
    'features/chat/composer/dictation.tsx',
    'features/chat/composer/model-picker.tsx',
    'features/chat/messages/reply-announcer.tsx',
    'features/chat/messages/version-switcher.tsx',
    'features/chat/preview/preview-content.tsx',
    'features/chat/preview/preview-toolbar.tsx',
    'features/chat/preview/preview-toolbar.tsx',
    'features/chat/query/query-table.tsx',
    'features/history/more-conversations.tsx',
    'features/integrations/catalogue/card-group-section.tsx',
    'features/integrations/catalogue/catalogue-filters.tsx',
    'features/integrations/connect/setup-steps.tsx',
    'features/integrations/oauth/oauth-callback-page.tsx',
    'features/schedules/run-state.tsx',
  ])
})

it('a live region is there while it is empty', () => {
  expect(findFiles(isHidden)).toEqual([])
})

it('a live region is not rendered under a condition', () => {
  expect(findFiles(({ isConditional }) => isConditional)).toEqual([])
})

it('nothing in a live region announces itself, too', () => {
  expect(findFiles(isTwice)).toEqual([])
})

it('what is announced as an error has its details, which can be copied', () => {
  expect(
    files.filter((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      return /(?<!\[)role(?:=|: )['"]alert['"]/.test(source) && !source.includes('<CopyDetails')
    }),
  ).toEqual([
    // a limit of the page: nothing failed
    'features/integrations/tool-picker/tool-picker.tsx',
  ])
})

it.each([
  ['hidden', '<p role="status" className="text-sm empty:hidden">{text}</p>', isHidden],
  ['hidden', `<output className={clsx('empty:hidden', isBad && 'text-danger')}>{text}</output>`, isHidden],
  [
    'conditional',
    '<div>{text && <p aria-live="polite">{text}</p>}</div>',
    (one: Region) => one.isConditional,
  ],
  [
    'twice',
    '<div role={isBad ? "alert" : "status"}>{text && <Callout variant="info">{text}</Callout>}</div>',
    isTwice,
  ],
])('finds what is wrong with a region: %s, %s', (_, jsx, isFault) => {
  expect(findRegions('a.tsx', `const A = ({ text, isBad }) => ${jsx}`).map(isFault)).toEqual([true])
})

it.each([
  '<p role="status" className="empty:absolute">{text}</p>',
  '<div>{text && <B render={() => <p role="status">{text}</p>} />}</div>',
])('finds nothing wrong with %s', (jsx) => {
  const [region] = findRegions('a.tsx', `const A = ({ text }) => ${jsx}`)
  expect(region && [isHidden(region), region.isConditional, isTwice(region)]).toEqual([false, false, false])
})

it.each(['<div aria-live="off">{text}</div>', '<p role="alert">{text}</p>'])(
  '%s is no live region of a status',
  (jsx) => {
    expect(findRegions('a.tsx', `const A = ({ text }) => ${jsx}`)).toEqual([])
  },
)
