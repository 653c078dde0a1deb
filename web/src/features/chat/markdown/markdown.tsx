import clsx from 'clsx'
import { memo, useEffect, useId, useMemo, useState } from 'react'
import { countAllSteps } from './count-steps.ts'
import { groupDetails, type Section } from './extensions/details.ts'
import {
  emptyDocument,
  getStreamingBlocks,
  isParsedAtOnce,
  parseInSteps,
  type Block,
} from './incremental-document.ts'
import { MarkdownSections, PlainBlock } from './markdown-block.tsx'
import { renderNodes } from './markdown-elements.tsx'
import { parseMarkdown } from './parse-markdown.ts'
import './prose.css'

/** Blocks that are laid out and painted as a unit, so that the cost of a frame does not grow with the reply. */
const blocksPerPart = 20

/** The last parsed document: a reply that ends is mounted again among the messages, and not parsed again. */
let lastDocument = emptyDocument

function parse(text: string, before = lastDocument) {
  lastDocument = parseInSteps(text, before)
  return { text, document: lastDocument }
}

/** The work of the parser between two moments in which the page answers. Conversations of ordinary length take less. */
const maxStepsAtOnce = 2_000_000
let isWorking = false
let stepsBefore = 0
/** Texts that are shown plain until the page has answered. */
const waiting = new Set<() => void>()

/** Begins the work of a moment, if there is none. @returns whether the parser may still work in it */
function beginWork(): boolean {
  if (!isWorking) {
    isWorking = true
    stepsBefore = countAllSteps()
    setTimeout(continueWork)
  }
  return countAllSteps() - stepsBefore < maxStepsAtOnce
}

function continueWork(): void {
  isWorking = false
  // the end of a conversation is in view
  const parseNext = [...waiting].at(-1)
  if (!parseNext) return
  waiting.delete(parseNext)
  parseNext()
  beginWork()
}

/**
 * A text as markdown. Many texts that take long, as in a shared conversation, are parsed one after the other, so that the page answers in
 * between; until then they are plain.
 */
export function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  const [mayParse, setMayParse] = useState(() => streaming || beginWork())
  useEffect(() => {
    if (mayParse) return
    const parseNow = () => setMayParse(true)
    waiting.add(parseNow)
    beginWork()
    return () => void waiting.delete(parseNow)
  }, [mayParse])
  if (mayParse) return <ParsedMarkdown text={text} streaming={streaming} />
  return (
    <div data-reply-text="" className="prose whitespace-pre-wrap" dir="auto">
      {text}
    </div>
  )
}

/**
 * A reply as sanitised markdown, block by block. Finished blocks are neither parsed nor rendered again, not even when the reply ends.
 */
function ParsedMarkdown({ text, streaming }: { text: string; streaming: boolean }) {
  const [parsed, setParsed] = useState(() => parse(text))
  let { document } = parsed
  if (parsed.text !== text) {
    const next = parse(text, document)
    document = next.document
    setParsed(next)
  }
  if (!streaming && document.needsFullParse && isParsedAtOnce(document.text))
    return <WholeMarkdown text={document.text} />
  const blocks = groupDetails(streaming ? getStreamingBlocks(document) : document.blocks, ({ node }) => node)
  return (
    <div
      data-reply-text=""
      className={clsx('prose', streaming && 'is-open')}
      dir="auto"
      translate={streaming ? 'no' : undefined}
    >
      {Array.from({ length: Math.ceil(blocks.length / blocksPerPart) }, (_, index) => {
        const part = blocks.slice(index * blocksPerPart, (index + 1) * blocksPerPart)
        const isLast = (index + 1) * blocksPerPart >= blocks.length
        return <Part key={part[0]?.start.offset} blocks={part} later={index > 0} open={streaming && isLast} />
      })}
    </div>
  )
}

const Part = memo(
  function Part({
    blocks,
    later,
    open,
  }: {
    blocks: readonly Section<Block>[]
    later: boolean
    open: boolean
  }) {
    return (
      <div className={clsx('prose is-part', later && 'is-later')}>
        <MarkdownSections sections={blocks} open={open} />
      </div>
    )
  },
  (before, now) => before.open === now.open && isSameSections(before.blocks, now.blocks),
)

function isSameSections(before: readonly Section<Block>[], now: readonly Section<Block>[]): boolean {
  return (
    before.length === now.length &&
    before.every((section, index) => {
      const other = now[index]
      return section.start === other?.start && isSameSections(section.sections, other.sections)
    })
  )
}

/** A text with footnotes or reference links, which need a parse of the whole text. */
const WholeMarkdown = memo(function WholeMarkdown({ text }: { text: string }) {
  const idPrefix = useId()
  const elements = useMemo(() => {
    const parsed = parseMarkdown(text)
    return (
      parsed &&
      renderNodes(
        parsed.blocks.map(({ node }) => node),
        { idPrefix },
      )
    )
  }, [text, idPrefix])
  return (
    <div data-reply-text="" className="prose" dir="auto">
      <div className="prose is-part">{elements ?? <PlainBlock source={text} />}</div>
    </div>
  )
})

// for `user-text.tsx`, which loads this chunk
export { SourceCode } from './code-block.tsx'
