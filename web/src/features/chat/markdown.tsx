import clsx from 'clsx'
import { memo, useMemo, useState, type ComponentProps, type ReactElement } from 'react'
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkBreaks from 'remark-breaks'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from './code-block.tsx'
import { finishTail } from './finish-tail.ts'
import { Formula } from './formula.tsx'
import { isSafeLink, remarkHarmless, schema } from './markdown-safety.ts'
import { takeMath } from './math-source.ts'
import { formulaTag, remarkFormulas } from './remark-formulas.ts'
import { ScrollRegion } from './scroll-region.tsx'
import { splitBlocks, type Block } from './split-blocks.ts'
import { isTangled } from './tangled.ts'
import './prose.css'

const remarkPlugins: ComponentProps<typeof ReactMarkdown>['remarkPlugins'] = [
  [remarkGfm, { singleTilde: false }],
  remarkHarmless,
  remarkBreaks,
]
const rehypePlugins: ComponentProps<typeof ReactMarkdown>['rehypePlugins'] = [[rehypeSanitize, schema]]

function SafeLink({ href, children }: ComponentProps<'a'> & ExtraProps) {
  if (!isSafeLink(href)) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="link">
      {children}
    </a>
  )
}

function ScrollingTable({ children }: ComponentProps<'table'> & ExtraProps) {
  return (
    <ScrollRegion label="Table">
      <table>{children}</table>
    </ScrollRegion>
  )
}

function TaskBox({ checked = false }: ComponentProps<'input'> & ExtraProps) {
  return <input type="checkbox" checked={checked} disabled readOnly aria-label={checked ? 'Done' : 'To do'} />
}

function PlacedFormula({ tex = '', display }: { tex?: string; display?: string }) {
  return <Formula tex={tex} display={display === 'block'} />
}

type HastElement = NonNullable<ExtraProps['node']>

const hasDisplayFormula = ({ children }: HastElement): boolean =>
  children.some(
    (child) =>
      child.type === 'element' &&
      (child.tagName === formulaTag ? child.properties['display'] === 'block' : hasDisplayFormula(child)),
  )

/** Text around a display formula, which scrolls inside itself, is marked for prose.css. */
const markingScrollers = (Element: 'p' | 'li') =>
  function TextBlock({
    node,
    children,
    className,
  }: Pick<ComponentProps<'p'>, 'children' | 'className'> & ExtraProps) {
    const hasScroller = node !== undefined && hasDisplayFormula(node)
    return <Element className={hasScroller ? clsx(className, 'has-scroller') : className}>{children}</Element>
  }

function codeOf({ children }: ComponentProps<'pre'>): { code: string; language: string } {
  const { className, children: text } = (children as ReactElement<ComponentProps<'code'>>).props
  return {
    code: (typeof text === 'string' ? text : '').replace(/\n$/, ''),
    language: /language-(\S+)/.exec(className ?? '')?.[1] ?? '',
  }
}

/** Every heading stands right below the message's own, so that no level is left out whatever a reply begins with. */
const heading = (className?: string) =>
  function Heading({ children }: ComponentProps<'h1'>) {
    return <h3 className={className}>{children}</h3>
  }
const plainHeading = heading()

type KnownComponents = Components & Record<typeof formulaTag, typeof PlacedFormula>

const components: KnownComponents = {
  h1: heading('is-large'),
  h2: heading('is-medium'),
  h3: plainHeading,
  h4: plainHeading,
  h5: plainHeading,
  h6: plainHeading,
  p: markingScrollers('p'),
  li: markingScrollers('li'),
  a: SafeLink,
  table: ScrollingTable,
  input: TaskBox,
  pre: (props) => <CodeBlock {...codeOf(props)} complete />,
  [formulaTag]: PlacedFormula,
}
const openComponents: KnownComponents = {
  ...components,
  pre: (props) => <CodeBlock {...codeOf(props)} complete={false} />,
}

/** A reply: in one piece when it is finished, block by block while it is written. Sanitised markdown (DEC-012). */
export function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  return streaming ? <GrowingMarkdown text={text} /> : <WholeMarkdown text={text} />
}

const WholeMarkdown = memo(function WholeMarkdown({ text }: { text: string }) {
  return (
    <div className="prose" dir="auto">
      <Rendered markdown={text} open={false} />
    </div>
  )
})

/** Blocks of a long reply that are laid out and painted apart from the rest, so that a frame costs the same at its end. */
const blocksOfPart = 20

/** Finished blocks are never rendered again. */
function GrowingMarkdown({ text }: { text: string }) {
  const [split, setSplit] = useState(() => splitBlocks(text))
  if (split.written !== text) setSplit(splitBlocks(text, split))
  const { closed, open } = split
  return (
    <div className="prose is-open" dir="auto">
      {Array.from({ length: Math.ceil(closed.length / blocksOfPart) }, (_, index) => {
        const blocks = closed.slice(index * blocksOfPart, (index + 1) * blocksOfPart)
        return <MemoPart key={blocks[0]?.at} blocks={blocks} later={index > 0} />
      })}
      {open.map((block, index) => (
        <OpenBlock key={block.at} block={block} last={index === open.length - 1} />
      ))}
    </div>
  )
}

const MemoPart = memo(
  function Part({ blocks, later }: { blocks: readonly Block[]; later: boolean }) {
    return (
      <div className={clsx('prose is-part', later && 'is-later')}>
        {blocks.map(({ at, markdown }) => (
          <MemoBlock key={at} markdown={markdown} open={false} />
        ))}
      </div>
    )
  },
  (before, now) =>
    before.blocks.length === now.blocks.length &&
    before.blocks.every((block, at) => block === now.blocks[at]),
)

function OpenBlock({ block: { markdown }, last }: { block: Block; last: boolean }) {
  return <MemoBlock markdown={last ? finishTail(markdown) : markdown} open={last} />
}

const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n`]*(?:\n|$)/

const MemoBlock = memo(function MemoBlock({ markdown, open }: { markdown: string; open: boolean }) {
  // a fence that grows would be parsed again with each token; its text is its code
  const opening = open ? fence.exec(markdown) : null
  if (!opening) return <Rendered markdown={markdown} open={open} />
  const [line, marks = '', language = ''] = opening
  const end = new RegExp(`\\n? {0,3}${marks[0] === '~' ? '~' : '`'}{${marks.length},}\\s*$`)
  return (
    <CodeBlock code={markdown.slice(line.length).replace(end, '')} language={language} complete={false} />
  )
})

function Rendered({ markdown, open }: { markdown: string; open: boolean }) {
  const tangled = useMemo(() => isTangled(markdown), [markdown])
  const source = useMemo(() => takeMath(markdown), [markdown])
  const { formulas } = source
  if (tangled) return <p className="whitespace-pre-wrap">{markdown}</p>
  return (
    <ReactMarkdown
      remarkPlugins={
        formulas.length > 0 ? [...(remarkPlugins ?? []), remarkFormulas(formulas)] : remarkPlugins
      }
      rehypePlugins={rehypePlugins}
      components={open ? openComponents : components}
    >
      {source.markdown}
    </ReactMarkdown>
  )
}
