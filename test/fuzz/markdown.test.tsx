import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Markdown } from '../../web/src/features/chat/markdown/markdown.tsx'
import { restoreSource, splitAtPlaceholders } from '../../web/src/features/chat/markdown/math-placeholders.ts'
import { extractMath } from '../../web/src/features/chat/markdown/math-source.ts'
import { completeMarkdown } from '../../web/src/features/chat/markdown/complete-markdown.ts'
import { emptyDocument, updateDocument } from '../../web/src/features/chat/markdown/incremental-document.ts'
import { arbitraryText, fc, divideRuns, limitCpuTime, backtrackingText } from '../support/fuzz.ts'

const marks = [
  '#',
  '> ',
  '- ',
  '1. ',
  '|',
  '|-',
  '```',
  '~~~',
  '*',
  '**',
  '_',
  '__',
  '~~',
  '`',
  '[',
  ']',
  '](',
  ')',
  '![',
  '<',
  '>',
  '<!--',
  '&',
  '$',
  '$$',
  '\\[',
  '\\]',
  '\\(',
  ':',
  'http://',
  'www.',
  'a@',
  '.',
  '[^a]',
  '[a]: ',
  '  ',
  '\t',
  '\n\n',
]
const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](java\nscript:alert(1))',
  '![x](https://evil.example/p.png)',
  '<a href="data:text/html,x">',
  '[x]: javascript:1\n',
  '<javascript:alert(1)>',
  'javascript:alert(1)',
  '<style>*{}</style>',
  '<iframe srcdoc="x">',
  '\uE0000\uE001',
  '[a](http://x" onclick="y)',
  '<formula tex="x">',
  '$x$',
  '\\[\\href{javascript:alert(1)}{x}\\]',
]
const text = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...marks, ...attacks), arbitraryText(12)), { maxLength: 30 })
    .map((parts) => parts.join('')),
  arbitraryText(400),
)

function expectHarmless(html: string): void {
  const page = new DOMParser().parseFromString(html, 'text/html')
  expect(
    page.querySelectorAll(
      'script, style, img, iframe, object, embed, form, base, link, meta, video, audio, image, svg[onload], math[href]',
    ),
  ).toHaveLength(0)
  for (const element of page.querySelectorAll('*'))
    for (const { name, value } of element.attributes) {
      expect(name).not.toMatch(/^on|^style$|^srcdoc$|^src$|^formaction$/)
      if (name === 'href') expect(value).toMatch(/^(https?:\/\/|mailto:)/i)
    }
}

/** Renders a reply that is parsed from its beginning: another one in between replaces the last parsed document, which would be reused. */
function renderMarkdown(markdown: string, streaming: boolean): string {
  renderToStaticMarkup(<Markdown text="another reply" isStreaming={streaming} />)
  return renderToStaticMarkup(<Markdown text={markdown} isStreaming={streaming} />)
}

describe('a reply', () => {
  it('renders no scripts, embedded content or unsafe links, whatever a model writes', () => {
    fc.assert(
      fc.property(text, fc.boolean(), (markdown, streaming) => {
        expectHarmless(renderMarkdown(markdown, streaming))
      }),
    )
  })

  it('that repeats one mark endlessly is shown in time', () => {
    const hostileText = backtrackingText(marks, 2_000)
    fc.assert(
      fc.property(hostileText, fc.boolean(), (markdown, streaming) => {
        expectHarmless(limitCpuTime(() => renderMarkdown(markdown, streaming)))
      }),
      divideRuns(5),
    )
  })

  it.each([300, 2_000])('with %i levels of emphasis is shown', (levels) => {
    const closed = `${'*a _b '.repeat(levels)}the end${' _*'.repeat(levels)}`
    expect(limitCpuTime(() => renderMarkdown(closed, false))).toContain('the end')
  })

  it.each([
    '> ',
    '- ',
    '* ',
    '1. ',
    '>',
    '*a _b ',
    '[',
    '**',
    '~~a *b ',
    '![a](',
    '<a ',
    '[a]: ',
    'a@a.',
    '`a',
    '\\[ $',

    '&amp;',
    'x ',
  ])('with thousands of levels of %s is shown', (level) => {
    for (const levels of [15, 100, 3_000])
      for (const streaming of [true, false]) {
        const html = limitCpuTime(() => renderMarkdown(`${level.repeat(levels)} the end`, streaming))
        expect(html).toContain('the end')
      }
  })
})

describe('formulas', () => {
  it('are extracted and restored unchanged, in time', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          backtrackingText(['$', '$$', '\\[', '\\]', '\\(', '\\)', '\\', '{', '}', 'x^2', '`', '> '], 30_000),
        ),
        (source) => {
          const { markdown, hiddenParts } = limitCpuTime(() => extractMath(source))
          expect(restoreSource(markdown, hiddenParts)).toBe(source)
          expect(
            splitAtPlaceholders(markdown, hiddenParts)
              .map((piece) => (typeof piece === 'string' ? piece : piece.source))
              .join(''),
          ).toBe(source)
        },
      ),
    )
  })
})

describe('a growing reply', () => {
  /** only what ends a line can become final, and is not parsed again */
  const lines = marks.map((mark) => `${mark}a\n`)

  it('is parsed in time, whatever is added', () => {
    fc.assert(
      // the same length as above, because it is the same parser
      fc.property(fc.oneof(backtrackingText(marks, 2_000), backtrackingText(lines, 2_000)), (source) => {
        let document = emptyDocument
        for (let length = 250; length < source.length + 250; length += 250) {
          const earlier = document
          document = limitCpuTime(() => updateDocument(source.slice(0, length), earlier))
        }
      }),
    )
    fc.assert(
      fc.property(backtrackingText(marks, 10_000), (source) => {
        limitCpuTime(() => completeMarkdown(source))
      }),
    )
  })
})
