import { t } from '@lingui/core/macro'
import type { Parents as HastParents } from 'hast'
import type { List, ListItem, RootContent, Table, TableRow } from 'mdast'
import { Fragment, memo, type ReactNode } from 'react'
import { CodeBlock } from './code-block.tsx'
import type { Section } from './extensions/details.ts'
import type { Block } from './incremental-document.ts'
import { renderNodes } from './markdown-elements.tsx'
import { CopyableTable } from './copyable-table.tsx'
import { getSummary } from './parse-markdown.ts'

/** Top-level blocks, some of which others hide. */
export function MarkdownSections({ sections, open }: { sections: readonly Section<Block>[]; open: boolean }) {
  return sections.map((section, index) => {
    const { summary, start, parsed } = section
    const isOpen = open && index === sections.length - 1
    if (summary === undefined)
      return parsed.length > 0 ? (
        <Fragment key={`${start.offset} after`}>{renderNodes(parsed)}</Fragment>
      ) : (
        <MarkdownBlock key={start.offset} block={start} open={isOpen} />
      )
    return (
      <details key={start.offset}>
        <summary>{getSummary(summary)}</summary>
        {parsed.length > 0 && renderNodes(parsed)}
        <MarkdownSections sections={section.sections} open={isOpen} />
      </details>
    )
  })
}

/** One top-level block. When a list or a table grows, only the items and rows that changed are rendered. */
export const MarkdownBlock = memo(function MarkdownBlock({
  block: { node, source },
  open,
}: {
  block: Block
  /** it is still being written */
  open: boolean
}) {
  if (node === undefined) return <PlainBlock source={source} />
  switch (node.type) {
    case 'list':
      return <MarkdownList list={node} open={open} />
    case 'table':
      return <MarkdownTable table={node} open={open} />
    case 'code':
      return <CodeBlock code={node.value} language={node.lang ?? ''} isComplete={!open} />
    default:
      return renderOnce(node, '', () => renderNodes([node], { open }), open)
  }
})

/** Text that would take too long to format. */
export function PlainBlock({ source }: { source: string }) {
  return (
    <>
      <p className="text-sm text-ink-muted">{t`Shown as plain text, because it is too long or too deeply nested to be formatted:`}</p>
      <p className="whitespace-pre-wrap">{source}</p>
    </>
  )
}

/** The elements of finished nodes: when a reply ends, all of its nodes are rendered again. */
const elementCache = new WeakMap<RootContent, { variant: string; elements: ReactNode }>()

function renderOnce(node: RootContent, variant: string, render: () => ReactNode, open = false): ReactNode {
  if (open) return render()
  const cached = elementCache.get(node)
  if (cached?.variant === variant) return cached.elements
  const elements = render()
  elementCache.set(node, { variant, elements })
  return elements
}

const groupSize = 16

/** Splits children into groups that are memoised, so that a frame compares few groups instead of many children. */
function splitIntoGroups<Child>(children: readonly Child[]): (readonly Child[])[] {
  return Array.from({ length: Math.ceil(children.length / groupSize) }, (_, index) =>
    children.slice(index * groupSize, (index + 1) * groupSize),
  )
}

const isSameList = (before: readonly unknown[], now: readonly unknown[]) =>
  before.length === now.length && before.every((child, index) => child === now[index])

/** Whether the items of a list are paragraphs: one blank line between or in them is enough. */
const isLoose = ({ spread, children }: List) =>
  spread === true || children.some((item) => item.spread === true)

function MarkdownList({ list, open }: { list: List; open: boolean }) {
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
          ordered={list.ordered === true}
          loose={isLoose(list)}
          open={open && index === groups.length - 1}
        />
      ))}
    </Element>
  )
}

/** Selects the element that is nested in these tags. */
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
  ordered: boolean
  loose: boolean
  open: boolean
}

const ListItems = memo(
  function ListItems({ items, ordered, loose, open }: ListItemsProps) {
    return items.map((item, index) =>
      renderKeyed(index, item, `${ordered} ${loose}`, open && index === items.length - 1, (isOpen) =>
        renderNodes([{ type: 'list', ordered, spread: loose, children: [item] }], {
          open: isOpen,
          pick: selectNested([ordered ? 'ol' : 'ul']),
        }),
      ),
    )
  },
  (before, now) =>
    before.ordered === now.ordered &&
    before.loose === now.loose &&
    before.open === now.open &&
    isSameList(before.items, now.items),
)

function renderKeyed(
  key: number,
  node: ListItem | TableRow,
  variant: string,
  open: boolean,
  render: (open: boolean) => ReactNode,
): ReactNode {
  return <Keyed key={key}>{renderOnce(node as RootContent, variant, () => render(open), open)}</Keyed>
}

function Keyed({ children }: { children: ReactNode }) {
  return children
}

function MarkdownTable({ table, open }: { table: Table; open: boolean }) {
  const { children } = table
  const align = table.align ?? []
  const [head, ...rows] = children
  if (!head) return null
  const groups = splitIntoGroups(rows)
  return (
    <CopyableTable>
      <thead>
        <TableRows head={head} align={align} open={open && rows.length === 0} />
      </thead>
      {rows.length > 0 && (
        <tbody>
          {groups.map((group, index) => (
            <TableRows
              key={index}
              head={head}
              rows={group}
              align={align}
              open={open && index === groups.length - 1}
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
  open: boolean
}

const noRows: readonly TableRow[] = []

const TableRows = memo(
  function TableRows({ head, rows, align, open }: TableRowsProps) {
    const variant = align.join(' ')
    return (rows ?? [head]).map((row, index) =>
      renderKeyed(index, row, variant, open && index === (rows ?? [head]).length - 1, () =>
        renderNodes([{ type: 'table', align, children: rows ? [{ ...head, children: [] }, row] : [head] }], {
          pick: selectNested(['table', rows ? 'tbody' : 'thead']),
        }),
      ),
    )
  },
  (before, now) =>
    before.open === now.open &&
    before.align.join(' ') === now.align.join(' ') &&
    (now.rows !== undefined || before.head === now.head) &&
    isSameList(before.rows ?? noRows, now.rows ?? noRows),
)
