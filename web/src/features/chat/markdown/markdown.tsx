import clsx from 'clsx'
import { memo, useEffect, useId, useMemo, useState } from 'react'
import { getTotalSteps } from './step-limit.ts'
import { groupDetails, type Section } from './extensions/details.ts'
import { emptyDocument, getStreamingBlocks, isParsedAtOnce, parseInSteps } from './incremental-document.ts'
import type { Block } from './block-beginning.ts'
import { limitDrawing } from './drawing-limit.ts'
import { MarkdownSections, PlainTextBlock } from './markdown-block.tsx'
import { renderNodes } from './markdown-elements.tsx'
import { parseMarkdown } from './parse-markdown.ts'
import './prose.css'

/** How many blocks are laid out and painted as a unit, so that the cost of a frame does not grow with the reply. */
const blocksPerPart = 20

/** The document that was parsed last: a reply that ends is mounted again among the messages, and need not be parsed again. */
let lastDocument = emptyDocument

function parse(text: string, before = lastDocument) {
  lastDocument = parseInSteps(text, before)
  return { text, document: lastDocument }
}

/** The steps of the parser in one task of the event loop, between which the page responds. Ordinary conversations take fewer. */
const maxStepsPerTask = 2_000_000
let isTaskScheduled = false
let stepsBeforeTask = 0
/** Starts the parse of each text that is shown as plain text for now. */
const waitingParses = new Set<() => void>()

/** Begins to count the steps of this task, and schedules the next one. @returns whether a text may still be parsed in this task */
function mayParseNow(): boolean {
  if (!isTaskScheduled) {
    isTaskScheduled = true
    stepsBeforeTask = getTotalSteps()
    setTimeout(runNextParse)
  }
  return getTotalSteps() - stepsBeforeTask < maxStepsPerTask
}

function runNextParse(): void {
  isTaskScheduled = false
  // the last one first, because the end of a conversation is in view
  const parseNext = [...waitingParses].at(-1)
  if (!parseNext) return
  waitingParses.delete(parseNext)
  parseNext()
  mayParseNow()
}

/**
 * A text as Markdown. Many texts that take long, as in a shared conversation, are parsed one after the other, so that the page responds in
 * between; until its turn a text is shown as it is written, without `data-reply-text`, by which copies and voices find a
 * rendered reply.
 */
export function Markdown({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  const [mayParse, setMayParse] = useState(() => isStreaming || mayParseNow())
  useEffect(() => {
    if (mayParse) return
    const parseNow = () => setMayParse(true)
    waitingParses.add(parseNow)
    mayParseNow()
    return () => void waitingParses.delete(parseNow)
  }, [mayParse])
  if (mayParse) return <ParsedMarkdown text={text} isStreaming={isStreaming} />
  return (
    <div className="prose whitespace-pre-wrap" dir="auto">
      {text}
    </div>
  )
}

/** A text as sanitised Markdown, block by block. Finished blocks are neither parsed nor rendered again, not even when the reply ends. */
function ParsedMarkdown({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  const [parsed, setParsed] = useState(() => parse(text))
  let { document } = parsed
  // parsed while rendering: an effect would show each frame of a reply one frame later
  if (parsed.text !== text) {
    const next = parse(text, document)
    document = next.document
    setParsed(next)
  }
  if (!isStreaming && document.needsFullParse && isParsedAtOnce(document.text))
    return <WholeMarkdown text={document.text} />
  const blocks = groupDetails(
    limitDrawing(isStreaming ? getStreamingBlocks(document) : document.blocks, document.text),
    ({ node }) => node,
  )
  return (
    <div
      data-reply-text=""
      className={clsx('prose', isStreaming && 'is-open')}
      dir="auto"
      translate={isStreaming ? 'no' : undefined}
    >
      {Array.from({ length: Math.ceil(blocks.length / blocksPerPart) }, (_, index) => {
        const part = blocks.slice(index * blocksPerPart, (index + 1) * blocksPerPart)
        const isLast = (index + 1) * blocksPerPart >= blocks.length
        return (
          <MarkdownPart
            key={part[0]?.start.offset}
            blocks={part}
            isFirst={index === 0}
            isOpen={isStreaming && isLast}
          />
        )
      })}
    </div>
  )
}

/** Some of the blocks of a reply, in an element of their own. */
const MarkdownPart = memo(
  function MarkdownPart({
    blocks,
    isFirst,
    isOpen,
  }: {
    blocks: readonly Section<Block>[]
    isFirst: boolean
    /** whether its last block is still being written */
    isOpen: boolean
  }) {
    return (
      <div className={clsx('prose is-part', !isFirst && 'is-later')}>
        <MarkdownSections sections={blocks} isOpen={isOpen} />
      </div>
    )
  },
  (before, now) => before.isOpen === now.isOpen && isSameSections(before.blocks, now.blocks),
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
    const blocks = parsed?.blocks.map(({ node, start }): Block => ({ node, offset: start, source: '' })) ?? [
      { node: undefined, offset: 0, source: text },
    ]
    const drawn = limitDrawing(blocks, text)
    const plain = drawn.find(({ node, isPlainCode }) => node === undefined || isPlainCode)
    const nodes = drawn.slice(0, plain && drawn.indexOf(plain)).flatMap(({ node }) => node ?? [])
    return (
      <>
        {nodes.length > 0 && renderNodes(nodes, { idPrefix })}
        {plain && <PlainTextBlock source={text.slice(plain.offset)} />}
      </>
    )
  }, [text, idPrefix])
  return (
    <div data-reply-text="" className="prose" dir="auto">
      <div className="prose is-part">{elements}</div>
    </div>
  )
})

// exported here for `user-text.tsx`, which loads this module and thereby its chunk
export { SourceCode } from './code-block.tsx'
export { PlainTextBlock }
