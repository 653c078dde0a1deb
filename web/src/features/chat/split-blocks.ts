import { Lexer, Marked } from 'marked'
import { mathBlock, mayHoldMathBlock } from './math-source.ts'
import { isTangled } from './tangled.ts'

export interface Block {
  /** where it starts in the text; names the block as long as the text only grows */
  at: number
  markdown: string
}

export interface SplitText {
  /** as it came */
  written: string
  /** with one kind of line end */
  text: string
  /** these never change again while the text grows */
  closed: readonly Block[]
  open: readonly Block[]
}

/** For texts with formulas: one that is a block of its own is cut as one, whatever its lines begin with. */
const withFormulas = new Marked({
  extensions: [
    {
      name: 'formula',
      level: 'block',
      // on a line of its own only: a paragraph that is cut elsewhere comes back with a line end that nobody wrote
      start: (text) => {
        const at = /\n {0,3}(?:\$\$|\\\[)/.exec(text)?.index
        return at === undefined ? undefined : at + 1
      },
      tokenizer(text) {
        const raw = mathBlock.exec(text)?.[0]
        return raw === undefined ? undefined : { type: 'formula', raw }
      },
    },
  ],
})

/** The top level alone: what stands inside of a block is read when it is drawn. */
function tokensOf(text: string): { type: string; raw: string }[] {
  // one block, which is shown as it was written
  if (isTangled(text)) return [{ type: 'paragraph', raw: text }]
  return new Lexer(mayHoldMathBlock(text) ? withFormulas.defaults : undefined).blockTokens(text, [])
}

/** A later line can still join a list, a table or a paragraph before it; measured, three blocks back is far enough. */
const openBlocks = 3

export const nothingSplit: SplitText = { written: '', text: '', closed: [], open: [] }

/**
 * Cuts markdown into its top-level blocks. Given what was cut before, only its open end is read again, so a long reply costs no
 * more per token than a short one.
 */
export function splitBlocks(written: string, before: SplitText = nothingSplit): SplitText {
  const text = written.replaceAll(/\r\n?/g, '\n')
  const known = before.text !== '' && text.startsWith(before.text) ? before.closed : []
  const last = known.at(-1)
  let at = last ? last.at + last.markdown.length : 0
  const blocks: Block[] = []
  for (const token of tokensOf(text.slice(at))) {
    // blank lines belong to what stands before them
    const previous = blocks.at(-1)
    if (token.type === 'space' && previous) previous.markdown += token.raw
    else blocks.push({ at, markdown: token.raw })
    at += token.raw.length
  }
  const closing = Math.max(0, blocks.length - openBlocks)
  return { written, text, closed: [...known, ...blocks.slice(0, closing)], open: blocks.slice(closing) }
}
