import { t } from '@lingui/core/macro'
import type { Parents as HastParents } from 'hast'
import type { List, ListItem, RootContent, Table, TableRow } from 'mdast'
import { Fragment, memo, type ReactNode } from 'react'
import { isSameList } from '../is-same-list.ts'
import { CodeBlock } from './code-block.tsx'
import type { Section } from './extensions/details.ts'
import type { Block } from './block-beginning.ts'
import { renderNodes } from './markdown-elements.tsx'
import { CopyableTable } from './copyable-table.tsx'
import { formatSummary } from './parse-markdown.ts'

/** Top-level blocks. Some are hidden in `<details>`, which the reader can open. */
export function MarkdownSections({
  sections,
  isOpen,
}: {
  sections: readonly Section<Block>[]
  /** whether the last one is still being written */
  isOpen: boolean
}) {
  return sections.map((section, index) => {
    const { summary, start, parsed } = section
    const isSectionOpen = isOpen && index === sections.length - 1
    if (summary === undefined)
      return parsed.length > 0 ? (
        <Fragment key={`${start.offset} after`}>{renderNodes(parsed)}</Fragment>
      ) : (
        <MarkdownBlock key={start.offset} block={start} isOpen={isSectionOpen} />
      )
    return (
      <details key={start.offset}>
        <summary>{formatSummary(summary)}</summary>
        {parsed.length > 0 && renderNodes(parsed)}
        <MarkdownSections sections={section.sections} isOpen={isSectionOpen} />
      </details>
    )
  })
}

/** One top-level block. When a list or a table grows, only the items and rows that changed are rendered. */
export const MarkdownBlock = memo(function MarkdownBlock({
  block: { node, source, isPlainCode },
  isOpen,
}: {
  block: Block
  /** whether it is still being written */
  isOpen: boolean
}) {
  if (node === undefined) return <PlainTextBlock source={source} />
  switch (node.type) {
    case 'list':
      return <MarkdownList list={node} isOpen={isOpen} />
    case 'table':
      return <MarkdownTable table={node} isOpen={isOpen} />
    case 'code':
      return (
        <CodeBlock
          code={node.value}
          language={node.lang ?? ''}
          isComplete={!isOpen}
          isPlain={isPlainCode === true}
        />
      )
    default:
      return renderOnce(node, { isOpen, render: () => renderNodes([node], { isOpen }) })
  }
})

/** A text that would take too long to format, as plain text. */
export function PlainTextBlock({ source }: { source: string }) {
  return (
    <>
      <p className="text-sm text-ink-muted">{t`Shown as plain text, because formatting it would take too long:`}</p>
      <p className="whitespace-pre-wrap">{source}</p>
    </>
  )
}

/** The elements of finished nodes. Kept, because all nodes of a reply are rendered again when it ends. */
const elementCache = new WeakMap<RootContent, { variant: string; elements: ReactNode }>()

interface RenderOptions {
  render: () => ReactNode
  /** what the elements depend on besides the node */
  variant?: string
  /** whether the node is still being written, so that its elements are not cached */
  isOpen: boolean
}

/** Renders a node, or returns what it was rendered as before. */
function renderOnce(node: RootContent, { render, variant = '', isOpen }: RenderOptions): ReactNode {
  if (isOpen) return render()
  const cached = elementCache.get(node)
  if (cached?.variant === variant) return cached.elements
  const elements = render()
  elementCache.set(node, { variant, elements })
  return elements
}

/** So a list of 1,000 items has some 60 groups to compare, and a changed item renders few others. */
const groupSize = 16

/** Splits children into groups that are memoised, so that a frame compares few groups instead of many children. */
function splitIntoGroups<Child>(children: readonly Child[]): (readonly Child[])[] {
  return Array.from({ length: Math.ceil(children.length / groupSize) }, (_, index) =>
    children.slice(index * groupSize, (index + 1) * groupSize),
  )
}

/** Whether a list is loose (CommonMark 5.3), so that its items have paragraphs: one blank line between or in them is enough. */
const isLooseList = ({ spread, children }: List) =>
  spread === true || children.some((item) => item.spread === true)

/** A list. Only the group with the end of a text that is being written is open. */
function MarkdownList({ list, isOpen }: { list: List; isOpen: boolean }) {
  const Element = list.ordered ? 'ol' : 'ul'
  const { start } = list
  const groups = splitIntoGroups(list.children)
  const hasTasks = list.children.some(({ checked }) => typeof checked === 'boolean')
  return (
    <Element
      dir="auto"
      {...(typeof start === 'number' && start !== 1 && { start })}
      {...(hasTasks && { className: 'contains-task-list' })}
    >
      {groups.map((items, index) => (
        <ListItems
          key={index}
          items={items}
          isOrdered={list.ordered === true}
          isLoose={isLooseList(list)}
          isOpen={isOpen && index === groups.length - 1}
        />
      ))}
    </Element>
  )
}

/** Creates a function that selects the element inside these nested tags. */
const selectNested = (tags: readonly string[]) => (root: HastParents) =>
  tags.reduce<HastParents>(
    (parent, tag) =>
      (parent.children as readonly HastParents[]).find(
        (child) => child.type === 'element' && child.tagName === tag,
      ) ?? { type: 'root', children: [] },
    root,
  )

interface ListItemsProps {
  items: readonly ListItem[]
  isOrdered: boolean
  isLoose: boolean
  isOpen: boolean
}

const ListItems = memo(
  function ListItems({ items, isOrdered, isLoose, isOpen }: ListItemsProps) {
    return items.map((item, index) => {
      const isItemOpen = isOpen && index === items.length - 1
      return renderKeyed(index, item, {
        variant: `${isOrdered} ${isLoose}`,
        isOpen: isItemOpen,
        render: () =>
          renderNodes([{ type: 'list', ordered: isOrdered, spread: isLoose, children: [item] }], {
            isOpen: isItemOpen,
            pick: selectNested([isOrdered ? 'ol' : 'ul']),
          }),
      })
    })
  },
  (before, now) =>
    before.isOrdered === now.isOrdered &&
    before.isLoose === now.isLoose &&
    before.isOpen === now.isOpen &&
    isSameList(before.items, now.items),
)

/** As `renderOnce`, for an item or a row, whose elements get a key among its siblings. */
function renderKeyed(key: number, node: ListItem | TableRow, options: RenderOptions): ReactNode {
  return <Fragment key={key}>{renderOnce(node as RootContent, options)}</Fragment>
}

function MarkdownTable({ table, isOpen }: { table: Table; isOpen: boolean }) {
  const { children } = table
  const align = table.align ?? []
  const [head, ...rows] = children
  if (!head) return null
  const groups = splitIntoGroups(rows)
  return (
    <CopyableTable>
      <thead>
        <TableRows head={head} align={align} isOpen={isOpen && rows.length === 0} />
      </thead>
      {rows.length > 0 && (
        <tbody>
          {groups.map((group, index) => (
            <TableRows
              key={index}
              head={head}
              rows={group}
              align={align}
              isOpen={isOpen && index === groups.length - 1}
            />
          ))}
        </tbody>
      )}
    </CopyableTable>
  )
}

interface TableRowsProps {
  head: TableRow
  /** absent for the head itself */
  rows?: readonly TableRow[]
  align: NonNullable<Table['align']>
  isOpen: boolean
}

const noRows: readonly TableRow[] = []

const TableRows = memo(
  function TableRows({ head, rows, align, isOpen }: TableRowsProps) {
    const variant = align.join(' ')
    return (rows ?? [head]).map((row, index) =>
      renderKeyed(index, row, {
        variant,
        isOpen: isOpen && index === (rows ?? [head]).length - 1,
        render: () =>
          renderNodes(
            [{ type: 'table', align, children: rows ? [{ ...head, children: [] }, row] : [head] }],
            {
              pick: selectNested(['table', rows ? 'tbody' : 'thead']),
            },
          ),
      }),
    )
  },
  (before, now) =>
    before.isOpen === now.isOpen &&
    before.align.join(' ') === now.align.join(' ') &&
    (now.rows !== undefined || before.head === now.head) &&
    isSameList(before.rows ?? noRows, now.rows ?? noRows),
)
