import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import type { Nodes as HastNodes, Parents as HastParents } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { toJsxRuntime, type Components, type ExtraProps } from 'hast-util-to-jsx-runtime'
import type { Root, RootContent } from 'mdast'
import { toHast } from 'mdast-util-to-hast'
import { use, type ComponentProps, type ReactElement, type ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import type { Attachment } from '#shared/contracts/files.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { useFileDownload } from '../../../components/use-file-download.ts'
import { CodeBlock } from './code-block.tsx'
import { Formula } from './formula.tsx'
import { nestDetails } from './extensions/details.ts'
import { sanitizeSchema, findSandboxFile, isSafeLink } from './markdown-safety.ts'
import { formulaTag } from './insert-formulas.ts'
import { CopyableTable } from './copyable-table.tsx'
import { formatSummary } from './parse-markdown.ts'
import { LinkNote } from './link-note.tsx'
import { findHiddenTarget } from './link-target.ts'
import { ReplyFilesContext } from './reply-files-context.ts'

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

/** A paragraph or an item. One with a displayed formula, which can scroll, has a class for prose.css. */
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
        // only footnotes have an id; their number moves the focus to them
        {...(id !== undefined && { id, tabIndex: -1 })}
        {...(Element === 'li' && { value })}
        className={hasScroller ? clsx(className, 'has-scroller') : className}
      >
        {children}
      </Element>
    )
  }

/** Reads a block of code from the `<code>` in its `<pre>`, as `toHast` writes it. */
function readCode({ children }: ComponentProps<'pre'>): { code: string; language: string } {
  const { className, children: text } = (children as ReactElement<ComponentProps<'code'>>).props
  return {
    code: (typeof text === 'string' ? text : '').replace(/\n$/, ''),
    language: /language-(\S+)/.exec(className ?? '')?.[1] ?? '',
  }
}

/** All headings have the level below the heading of the message, so that no level is skipped; a class has the level that was written. */
const createHeading = (className?: string) =>
  function Heading({ children }: ComponentProps<'h1'>) {
    return <h3 className={className}>{children}</h3>
  }
const plainHeading = createHeading()

/** A list or a quote. Its direction is that of its text, so that markers and bars are on the side where the text begins. */
const createDirectedBlock = (Element: 'ul' | 'ol' | 'blockquote') =>
  function DirectedBlock({ className, start, children, ...rest }: ComponentProps<'ol'>) {
    return (
      <Element
        dir="auto"
        {...(Element === 'ol' && { start })}
        // which React's types do not have; set by `markAlerts`
        data-alert={(rest as { 'data-alert'?: string })['data-alert']}
        className={className}
      >
        {children}
      </Element>
    )
  }

/**
 * Finds the direction of code in a line. Because it has one of its own, it does not decide about the paragraph, list or table around it: a
 * sentence in Arabic may begin with the name of a function.
 */
const findCodeDirection = (code: ReactNode) =>
  typeof code === 'string' && !/[a-z]/i.test(code) ? 'auto' : 'ltr'

const components = {
  ul: createDirectedBlock('ul'),
  ol: createDirectedBlock('ol'),
  blockquote: createDirectedBlock('blockquote'),
  h1: createHeading('is-large'),
  h2: createHeading('is-medium'),
  h3: plainHeading,
  h4: plainHeading,
  h5: plainHeading,
  h6: plainHeading,
  p: createTextBlock('p'),
  li: createTextBlock('li'),
  code: ({ className, children }: ComponentProps<'code'>) => (
    <code dir={findCodeDirection(children)} translate="no" className={className}>
      {/* characters that reorder text could make the code look like other code */}
      {typeof children === 'string' ? revealHiddenCharacters(children) : children}
    </code>
  ),
  a: TextLink,
  table: ({ children }) => <CopyableTable>{children}</CopyableTable>,
  input: TaskBox,
  pre: (props) => <CodeBlock {...readCode(props)} isComplete />,
  [formulaTag]: FormulaElement,
} as Components
/** For the end of a text that is being written: its code is not complete. */
const openComponents: Components = {
  ...components,
  pre: (props) => <CodeBlock {...readCode(props)} isComplete={false} />,
}

/** Elements in which text stands only inside other elements. */
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
 * @param isOpen whether this is the end of a text that is still being written
 * @param pick selects a part of the elements; by default all
 * @param idPrefix of the ids of footnotes; each text of the page needs another one
 */
export function renderNodes(
  nodes: readonly RootContent[],
  {
    isOpen = false,
    pick = (root) => root,
    idPrefix = '',
  }: { isOpen?: boolean; pick?: (root: HastParents) => HastParents; idPrefix?: string } = {},
): ReactNode {
  const tree: Root = { type: 'root', children: [...nodes] }
  nestDetails(tree, formatSummary)
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
      components: isOpen ? openComponents : components,
      passNode: true,
      passKeys: true,
      tableCellAlignToStyle: false,
    },
  )
}

function readText(node: HastNodes): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(readText).join('') : ''
}

/** A link of a text: to a web page, an e-mail address or phone number, a footnote or a file of the reply. Any other is shown as text. */
function TextLink({ href, children, node, ...rest }: ComponentProps<'a'> & ExtraProps) {
  if ('data-footnote-ref' in rest) return <FootnoteLink {...{ href, id: rest.id, children }} />
  if ('data-footnote-backref' in rest)
    return (
      <FootnoteLink href={href} label={t`Back to the text`}>
        {children}
      </FootnoteLink>
    )
  const fileName = findSandboxFile(href)
  if (fileName !== undefined) return <FileLink name={fileName}>{children}</FileLink>
  if (!isSafeLink(href)) return <>{children}</>
  const target = findHiddenTarget(href, node ? readText(node) : '')
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer" className="link">
        {children}
      </a>
      {target !== undefined && <LinkNote isInSentence>{target}</LinkNote>}
    </>
  )
}

/** A link between a footnote and its number. The address of the page does not change, because it names the conversation. */
function FootnoteLink({
  href,
  id,
  label,
  children,
}: {
  href: string | undefined
  id?: string | undefined
  /** the accessible name of the link back to the text, which is not copied and not printed */
  label?: string
  children: ReactNode
}) {
  return (
    <a
      href={href}
      id={id}
      aria-label={label}
      data-not-copied={label === undefined ? undefined : ''}
      className={label === undefined ? 'link' : 'link print:hidden'}
      onClick={(event) => {
        event.preventDefault()
        const target = document.getElementById((href ?? '').slice(1))
        target?.scrollIntoView({ block: 'nearest' })
        target?.focus({ preventScroll: true })
      }}
    >
      {children}
    </a>
  )
}

/** A link to a file of the reply, by its name. Says so if there is no such file. */
function FileLink({ name, children }: { name: string; children: ReactNode }) {
  const file = use(ReplyFilesContext).find((each) => each.name === name && each.isDeleted !== true)
  if (file) return <DownloadButton file={file}>{children}</DownloadButton>
  return (
    <>
      {children}
      <LinkNote isInSentence>({t`not available here`})</LinkNote>
    </>
  )
}

function DownloadButton({ file, children }: { file: Attachment; children: ReactNode }) {
  const download = useFileDownload()
  return (
    <button type="button" className="link" onClick={() => void download(file)}>
      {children}
    </button>
  )
}
