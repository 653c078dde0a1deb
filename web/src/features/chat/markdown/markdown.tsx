import clsx from 'clsx'
import { memo, useMemo, useState } from 'react'
import { emptyDocument, growDocument, unfinishedBlocks, type Block } from './incremental-document.ts'
import { MarkdownBlock } from './markdown-block.tsx'
import { renderNodes } from './markdown-elements.tsx'
import { parseMarkdown } from './parse-markdown.ts'
import { isTangled } from './markdown-limits.ts'
import './prose.css'

/** Blocks of a long reply that are laid out and painted apart from the rest, so that a frame costs the same at its end. */
const blocksOfPart = 20

/** What was parsed last: when a reply ends, it is shown in its place among the messages without being parsed again. */
let lastDocument = emptyDocument

function parse(text: string, before = lastDocument) {
  lastDocument = growDocument(text, before)
  return { written: text, document: lastDocument }
}

/**
 * A reply as sanitised markdown (DEC-012), block by block: what is finished is neither parsed nor rendered again while the rest is
 * written, nor when it ends.
 */
export function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  const [known, setKnown] = useState(() => parse(text))
  let { document } = known
  if (known.written !== text) {
    const next = parse(text, document)
    document = next.document
    setKnown(next)
  }
  if (!streaming && document.needsWhole) return <WholeMarkdown text={document.text} />
  const blocks = streaming ? unfinishedBlocks(document) : document.blocks
  return (
    <div className={clsx('prose', streaming && 'is-open')} dir="auto">
      {Array.from({ length: Math.ceil(blocks.length / blocksOfPart) }, (_, index) => {
        const part = blocks.slice(index * blocksOfPart, (index + 1) * blocksOfPart)
        const last = (index + 1) * blocksOfPart >= blocks.length
        return <Part key={part[0]?.at} blocks={part} later={index > 0} open={streaming && last} />
      })}
    </div>
  )
}

const Part = memo(
  function Part({ blocks, later, open }: { blocks: readonly Block[]; later: boolean; open: boolean }) {
    return (
      <div className={clsx('prose is-part', later && 'is-later')}>
        {blocks.map((block, index) => (
          <MarkdownBlock key={block.at} block={block} open={open && index === blocks.length - 1} />
        ))}
      </div>
    )
  },
  (before, now) =>
    before.open === now.open &&
    before.blocks.length === now.blocks.length &&
    before.blocks.every((block, at) => block === now.blocks[at]),
)

/** A text with footnotes or with links whose targets stand elsewhere in it. */
const WholeMarkdown = memo(function WholeMarkdown({ text }: { text: string }) {
  const elements = useMemo(
    () => (isTangled(text) ? undefined : renderNodes(parseMarkdown(text).blocks.map(({ node }) => node))),
    [text],
  )
  return (
    <div className="prose" dir="auto">
      <div className="prose is-part">{elements ?? <p className="whitespace-pre-wrap">{text}</p>}</div>
    </div>
  )
})
