import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { groupDetails } from '../../web/src/features/chat/markdown/extensions/details.ts'
import {
  emptyDocument,
  getStreamingBlocks,
  updateDocument,
  type IncrementalDocument,
} from '../../web/src/features/chat/markdown/incremental-document.ts'
import { MarkdownSections } from '../../web/src/features/chat/markdown/markdown-block.tsx'
import { renderNodes } from '../../web/src/features/chat/markdown/markdown-elements.tsx'
import { parseMarkdown } from '../../web/src/features/chat/markdown/parse-markdown.ts'
import { arbitraryText, divideRuns, fc, part } from '../support/fuzz.ts'

const words = fc.constantFrom(
  'plain words',
  '**bold**',
  '*so*',
  '`code`',
  '~~no~~',
  '[link](https://example.com)',
  'https://example.com',
  '**https://example.com**。',
  'x<sup>',
  '2</sup>',
  '<u>',
  '</u>',
  '==key==',
  '==',
  '`a|b`',
  '$x^2$',
  '$$x + y$$',
  '\\(a_b\\)',
  '<b>',
  'a | b',
  '5. five',
  '- dash',
  '$5',
  '$42$',
  '\\eqref{a}',
  '[link](https://example.com/a b.pdf)',
  '**Note: **',
  '** So**',
  '**Note:**so',
  '\\[',
  '$$',
  '`',
  '**',
)
const line = fc.array(words, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '))
const lines = (prefix: string, max: number) =>
  fc
    .array(line, { minLength: 1, maxLength: max })
    .map((all) => all.map((text) => `${prefix}${text}`).join('\n'))

const list = fc
  .record({
    /** undefined: numbers that grow */
    marks: fc.constantFrom('-', '*', '1.', '7)', undefined),
    items: fc.array(
      fc.record({
        text: fc.oneof(
          line,
          fc.constantFrom(
            '',
            '[x] done',
            '[ ] open',
            '# head',
            '#标题',
            '```\ncode\n\nmore\n```',
            '```\ncode\n```That is all.',
          ),
        ),
        inner: fc.option(fc.oneof(lines('  - ', 3), lines('   ', 2), lines('', 1), lines('    ', 2))),
        gap: fc.boolean(),
        indent: fc.constantFrom('', '', '', ' ', '  '),
      }),
      { minLength: 1, maxLength: 12 },
    ),
    gaps: fc.boolean(),
  })
  .map(({ marks, items, gaps }) => {
    let number = 0
    return items
      .map(
        ({ text, inner, gap, indent }) =>
          `${indent}${marks ?? `${(number += 1 + (text.length % 3))}.`} ${text}${inner === null ? '' : `\n${gaps && gap ? '\n' : ''}${inner}`}${gaps && gap ? '\n' : ''}`,
      )
      .join('\n')
  })
const table = fc
  .tuple(
    fc.constantFrom('| a | b |\n| - | -: |', 'a | b\n--- | ---', '2. a | b\n-|-'),
    fc.array(line, { maxLength: 8 }),
  )
  .map(([head, rows]) => [head, ...rows.map((text) => `| ${text} | b |`)].join('\n'))
const code = fc
  .tuple(
    fc.constantFrom('```', '~~~', '````', ' ```'),
    fc.constantFrom('', 'ts', 'js x', 'markdown'),
    fc.array(
      fc.oneof(
        line,
        fc.constantFrom('', '  indented', '``', '# no head', '| a |', '```js', '```', '```That is all.'),
      ),
      {
        maxLength: 60,
      },
    ),
    fc.boolean(),
  )
  .map(([fence, language, all, closed]) =>
    [`${fence}${language}`, ...all, ...(closed ? [fence] : [])].join('\n'),
  )
/** A Markdown document in a block of code, whose own blocks have the same fence. */
const innerDocument = fc
  .tuple(
    fc.constantFrom('```markdown', '```md', '~~~mdx'),
    fc.array(
      fc.oneof(
        line,
        fc.constantFrom(
          '',
          '',
          '## Use',
          '```',
          '```',
          '~~~',
          '```\nnpm i\n```\n',
          '```\nnpm i\n```\n## Then',
          '```js\na\n```',
          'Example:',
        ),
      ),
      { maxLength: 30 },
    ),
  )
  .map(([opener, all]) => [opener, ...all, opener.slice(0, 3)].join('\n'))
const block = fc.oneof(
  { weight: 3, arbitrary: list },
  { weight: 2, arbitrary: innerDocument },
  { weight: 2, arbitrary: table },
  { weight: 2, arbitrary: code },
  lines('', 3),
  lines('> ', 3),
  lines('    ', 2),
  fc.constantFrom(
    '# Title',
    'Title\n---',
    '---',
    '***',
    '$$\nx\n- y\n$$',
    '$$\nx = 1\n\ny = 2\n$$',
    '\\begin{align}\na &= b\n\nc\n\\end{align}',
    '##Title',
    '#标题',
    '> [!NOTE]\n> Mind.',
    '<details>\n<summary>More</summary>\n\ntext\n\n</details>',
    '<div>\nhtml',
    '<!-- a\n\nb -->',
    '-',
    '=',
  ),
)
const blocksText = fc
  .array(fc.tuple(block, fc.constantFrom('\n\n', '\n\n', '\n\n', '\n', '\n\n\n', '\n  \n', '\r\n\r\n')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((blocks) => blocks.flat().join(''))
const randomMarks = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\n',
        '\n\n',
        '- ',
        '1. ',
        '> ',
        '|',
        '|-|\n',
        '```\n',
        '~~~\n',
        '    ',
        '  ',
        '#',
        '---\n',
      ),
      words,
      arbitraryText(6),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))
const text = fc.oneof({ weight: 3, arbitrary: blocksText }, randomMarks)

/** Without the buttons of code blocks, which make differences hard to read. */
const html = (elements: ReactNode) =>
  renderToStaticMarkup(elements).replaceAll(/<button.*?<\/button>| class="[^"]* [^"]*"| role="[^"]*"/gs, '')
const renderWhole = (markdown: string) =>
  html(<>{renderNodes((parseMarkdown(markdown)?.blocks ?? []).map(({ node }) => node))}</>)
const renderIncremental = ({ blocks }: IncrementalDocument) =>
  html(<MarkdownSections sections={groupDetails(blocks, ({ node }) => node)} isOpen={false} />)

describe('a growing reply', () => {
  const documents = [
    '```markdown\n## Identity\nExample:\n```\nPIR Corporate\n```\n## Output\n```json\n{}\n```\n```\n\n**out**\n\n- a\n- b',
    `\`\`\`md\n${'text\n\n```\nnpm i\n```\n\n'.repeat(20)}\`\`\`\n\nout\n\n\`\`\`\ncode\n\`\`\``,
    '```markdown\na\n```\nb\n\n**c**\n\n```\nd\n```\n\n- e',
    // a line of three tildes in a block of HTML begins no code
    '~~~mdx\n~~~\n\n</u>\n~~~\n\n```\n```\n\n```markdown\n```\nnpm i\n```\n\n```\n\n> plain words\n\n',
  ]
  it.each(part(documents, 2))('has the blocks of a document inside it, character by character: %j', (all) => {
    let document = emptyDocument
    for (let at = 1; at <= all.length; at += 1) {
      document = updateDocument(all.slice(0, at), document)
      expect(renderIncremental(document)).toBe(renderWhole(document.text))
    }
    expect(document.finishedCount).toBeGreaterThan(0)
  })

  it('always looks like the text so far parsed at once', () => {
    fc.assert(
      fc.property(
        text,
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 60 }),
        (all, steps) => {
          let document = emptyDocument
          let at = 0
          for (let step = 0; at < all.length; step += 1) {
            at += steps[step % steps.length] ?? 1
            document = updateDocument(all.slice(0, at), document)
            // each comparison costs a render of everything
            if (step % 4 !== 0 && at < all.length) continue
            if (document.needsFullParse || !parseMarkdown(document.text)) continue
            expect(renderIncremental(document)).toBe(renderWhole(document.text))
          }
        },
      ),
    )
  })

  it('never shows a part of a mark that is completed while it is written', () => {
    const whole = fc.constantFrom(
      'plain words',
      '**bold**',
      '`code`',
      '~~gone~~',
      '[link](https://example.com/a (b).pdf)',
      '[spaced](https://example.com/a b.pdf)',
      '\\(a_b\\)',
      '$$x + y$$',
      '**Note:** 5',
      '<kbd>Ctrl</kbd>',
      '==key==',
      'x<sup>2</sup>',
    )
    const sentence = fc.array(whole, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '))
    const part = fc.oneof(
      sentence,
      sentence.map((inner) => `- ${inner}\n- ${inner}`),
      sentence.map((inner) => `| \`a|b\` | b |\n| - | - |\n| ${inner} | c |`),
      sentence.map((inner) => `> [!NOTE]\n> ${inner}`),
      fc.constantFrom('$$\na = b\n\nc = d\n$$', '\\begin{align}\na &= b\n\\end{align}', '## Title'),
    )
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
        const all = parts.join('\n\n')
        let document = emptyDocument
        for (let end = 1; end <= all.length; end += 1) {
          document = updateDocument(all.slice(0, end), document)
          const blocks = getStreamingBlocks(document)
          const shown = renderIncremental({ ...document, blocks })
            .replaceAll('a|b', '')
            .replaceAll(/<[^>]*>/g, '')
          if (/==|&lt;|\*\*|`|~~|\]\(|\[!|\$\$|\\\(|\\begin(?!\{align)|\|/.test(shown))
            throw new Error(`${JSON.stringify(all.slice(0, end))} shows ${JSON.stringify(shown)}`)
        }
      }),
      divideRuns(4),
    )
  })

  it('keeps the blocks that are closed', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (all, step) => {
        let document = emptyDocument
        for (let at = step; at < all.length + step; at += step) {
          const next = updateDocument(all.slice(0, at), document)
          if (next.text.startsWith(document.text))
            // the same objects, so that they are not rendered again
            expect(
              document.blocks
                .slice(0, document.finishedCount)
                .every((block, index) => next.blocks[index] === block),
            ).toBe(true)
          document = next
        }
      }),
    )
  })
})
