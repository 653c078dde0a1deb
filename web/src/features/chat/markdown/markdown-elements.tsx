import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import type { Nodes as HastNodes, Parents as HastParents } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { toJsxRuntime, type Components, type ExtraProps } from 'hast-util-to-jsx-runtime'
import type { Root, RootContent } from 'mdast'
import { toHast } from 'mdast-util-to-hast'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { CodeBlock } from './code-block.tsx'
import { Formula } from './formula.tsx'
import { nestDetails } from './extensions/details.ts'
import { sanitizeSchema } from './markdown-safety.ts'
import { formulaTag } from './insert-formulas.ts'
import { CopyableTable } from './copyable-table.tsx'
import { getSummary } from './parse-markdown.ts'
import { TextLink } from './text-link.tsx'

type HastElement = NonNullable<ExtraProps['node']>

function TaskBox({ checked = false }: ComponentProps<'input'> & ExtraProps) {
  return (
    <input type="checkbox" checked={checked} disabled readOnly aria-label={checked ? t`Done` : t`To do`} />
  )
}

function FormulaElement({ tex = '', display }: { tex?: string; display?: string }) {
  return <Formula tex={tex} displayMode={display === 'block'} />
}

const hasDisplayFormula = ({ children }: HastElement): boolean =>
  children.some(
    (child) =>
      child.type === 'element' &&
      (child.tagName === formulaTag ? child.properties['display'] === 'block' : hasDisplayFormula(child)),
  )

/** Text around a display formula, which can scroll, is marked for prose.css. */
const createTextBlock = (Element: 'p' | 'li') =>
  function TextBlock({
    node,
    children,
    className,
    id,
    value,
  }: Pick<ComponentProps<'li'>, 'children' | 'className' | 'id' | 'value'> & ExtraProps) {
    const hasScroller = node !== undefined && hasDisplayFormula(node)
    return (
      <Element
        // a footnote, to which its number leads
        {...(id !== undefined && { id, tabIndex: -1 })}
        {...(Element === 'li' && { value })}
        className={hasScroller ? clsx(className, 'has-scroller') : className}
      >
        {children}
      </Element>
    )
  }

function readCode({ children }: ComponentProps<'pre'>): { code: string; language: string } {
  const { className, children: text } = (children as ReactElement<ComponentProps<'code'>>).props
  return {
    code: (typeof text === 'string' ? text : '').replace(/\n$/, ''),
    language: /language-(\S+)/.exec(className ?? '')?.[1] ?? '',
  }
}

/** All headings are one level below the heading of the message, so that no level is skipped. */
const createHeading = (className?: string) =>
  function Heading({ children }: ComponentProps<'h1'>) {
    return <h3 className={className}>{children}</h3>
  }
const plainHeading = createHeading()

/** Markers and bars are on the side where the text of their block begins. */
const createDirected = (Element: 'ul' | 'ol' | 'blockquote') =>
  function Directed({ className, start, children, ...rest }: ComponentProps<'ol'>) {
    return (
      <Element
        dir="auto"
        {...(Element === 'ol' && { start })}
        data-alert={(rest as { 'data-alert'?: string })['data-alert']}
        className={className}
      >
        {children}
      </Element>
    )
  }

const components = {
  ul: createDirected('ul'),
  ol: createDirected('ol'),
  blockquote: createDirected('blockquote'),
  h1: createHeading('is-large'),
  h2: createHeading('is-medium'),
  h3: plainHeading,
  h4: plainHeading,
  h5: plainHeading,
  h6: plainHeading,
  p: createTextBlock('p'),
  li: createTextBlock('li'),
  code: ({ className, children }: ComponentProps<'code'>) => (
    <code translate="no" className={className}>
      {children}
    </code>
  ),
  a: TextLink,
  table: ({ children }) => <CopyableTable>{children}</CopyableTable>,
  input: TaskBox,
  pre: (props) => <CodeBlock {...readCode(props)} isComplete />,
  [formulaTag]: FormulaElement,
} as Components
const openComponents: Components = {
  ...components,
  pre: (props) => <CodeBlock {...readCode(props)} isComplete={false} />,
}

const structuralTags = new Set('blockquote,details,li,ol,section,table,tbody,thead,tr,ul'.split(','))

/** Removes the line ends between blocks: they are invisible, and would double the nodes of a table. */
function removeLineEnds(parent: HastParents): void {
  if (parent.type === 'root' || (parent.type === 'element' && structuralTags.has(parent.tagName)))
    parent.children = (parent.children as HastNodes[]).filter(
      (node) => node.type !== 'text' || node.value !== '\n',
    ) as typeof parent.children
  for (const child of parent.children) if (child.type === 'element') removeLineEnds(child)
}

/**
 * Renders markdown nodes as React elements. Only what the schema allows is rendered.
 * @param open whether this is the end of a text that is still being written
 * @param pick selects a part of the elements; by default all
 * @param idPrefix of footnotes, other than that of any other text in the page
 */
export function renderNodes(
  nodes: readonly RootContent[],
  {
    open = false,
    pick = (root) => root,
    idPrefix = '',
  }: { open?: boolean; pick?: (root: HastParents) => HastParents; idPrefix?: string } = {},
): ReactNode {
  const tree: Root = { type: 'root', children: [...nodes] }
  nestDetails(tree, getSummary)
  const hast = toHast(tree, { clobberPrefix: idPrefix, footnoteLabel: t`Footnotes` })
  const root = sanitize(hast, sanitizeSchema) as HastParents
  const picked = pick(root)
  removeLineEnds(picked)
  return toJsxRuntime(
    { type: 'root', children: picked.children as never },
    {
      Fragment,
      jsx,
      jsxs,
      components: open ? openComponents : components,
      passNode: true,
      passKeys: true,
      tableCellAlignToStyle: false,
    },
  )
}
