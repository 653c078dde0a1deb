import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { Markdown } from './markdown.tsx'

const renderMarkdown = (text: string, isStreaming = false) =>
  render(<Markdown text={text} isStreaming={isStreaming} />).container

describe.each([false, true])('isStreaming: %s', (isStreaming) => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '<iframe src="https://evil.example"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java\tscript:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](vbscript:x)',
    '[x](//evil.example/x)',
    '[x](/settings)',
    '<javascript:alert(1)>',
    '![x](https://evil.example/x.png?words)',
    '![x](data:image/svg+xml,<svg onload=alert(1)>)',
    '![x][ref]\n\n[ref]: https://evil.example/x.png',
    '<div style="position:fixed">over</div>',
    '<form action="https://evil.example"><input name=a></form>',
    '<base href="https://evil.example">',
    'a\n\n<style>*{display:none}</style>',
    '[x](https://ok.example "onmouseover=alert(1)")',
    '```html\n<script>alert(1)</script>\n```',
  ])('DEC-012 makes %j harmless', (hostileText) => {
    const container = renderMarkdown(hostileText, isStreaming)
    expect(
      container.querySelectorAll(
        'script, img, svg:not([class]), iframe, form, style, base, object, [style], [onerror], [onload]',
      ),
    ).toHaveLength(0)
    const attributes = [...container.querySelectorAll('*')].flatMap((element) => [...element.attributes])
    expect(attributes.filter(({ name }) => name.startsWith('on'))).toEqual([])
    const links = attributes.filter(({ name }) => name === 'href').map(({ value }) => value)
    expect(links.filter((link) => !/^https?:\/\/|^mailto:/.test(link))).toEqual([])
  })

  it('CHAT-18 CHAT-19 renders bold text, and every newline as a line break', () => {
    const container = renderMarkdown('One **two**\nthree', isStreaming)
    expect(container.querySelector('strong')?.textContent).toBe('two')
    expect(container.querySelectorAll('br')).toHaveLength(1)
  })

  it('renders lists, tables and code', () => {
    const container = renderMarkdown(
      '- a\n- b\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n\n```ts\nconst a = 1\n```\n\nend',
      isStreaming,
    )
    expect(container.querySelectorAll('li')).toHaveLength(2)
    expect(screen.getByRole('group', { name: 'Table' }).querySelectorAll('td')).toHaveLength(2)
    expect(screen.getByRole('group', { name: 'TypeScript' }).textContent).toBe('const a = 1')
    expect(screen.getByRole('button', { name: 'Copy code' })).toBeTruthy()
  })
})

it.each([
  ['```\n1. שלום (5)\n```', 'auto'],
  ['```text\nمرحبا\n```', 'auto'],
  ['    indented', 'auto'],
  ['```python\n# مرحبا\n```', 'ltr'],
])('text in a block has its own direction, code does not: %j', (markdown, direction) =>
  expect(renderMarkdown(markdown).querySelector('pre')?.dir).toBe(direction),
)

it('shows HTML as text', () => {
  expect(renderMarkdown('Use <font>bold</font> and\n\n<div>a block</div>').textContent).toContain(
    'Use <font>bold</font> and',
  )
  expect(renderMarkdown('<div>a block</div>').textContent).toBe('<div>a block</div>')
})

it('shows an external image as a link', () => {
  renderMarkdown('![a cat](https://pictures.example/cat.png)')
  expect(screen.getByRole('link', { name: 'a cat' }).getAttribute('href')).toBe(
    'https://pictures.example/cat.png',
  )
})

it.each([
  '[![Build](https://img.example/b.svg)](https://ci.example)',
  '[**![Build][image]**](https://ci.example)\n\n[image]: https://img.example/b.svg',
  '[![Build](https://img.example/b.svg)][ci]\n\n[ci]: https://ci.example',
])('shows an image inside a link as the text of that link: %j', (text) => {
  const links = renderMarkdown(text).querySelectorAll('a')
  expect([...links].map(({ href, textContent }) => [href, textContent])).toEqual([
    ['https://ci.example/', 'Build'],
  ])
})

it('opens links in a new tab that cannot access the page', () => {
  renderMarkdown('[docs](https://example.com) <mail@example.com>')
  const link = screen.getByRole('link', { name: 'docs' })
  expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer'])
  expect(screen.getByRole('link', { name: 'mail@example.com' }).getAttribute('href')).toBe(
    'mailto:mail@example.com',
  )
})

it('DEC-012 leaves an unpaired ** as typed', () => {
  expect(renderMarkdown('2 ** 3 and **open').textContent).toBe('2 ** 3 and **open')
})

it('does not render finished blocks again while a reply grows', () => {
  const text = 'One\n\nTwo\n\nThree\n\nFour\n\nFive'
  const view = render(<Markdown text={text} isStreaming />)
  const first = view.container.querySelector('p')
  view.rerender(<Markdown text={`${text} and more`} isStreaming />)
  expect(view.container.querySelector('p')).toBe(first)
  expect(view.container.textContent).toBe('OneTwoThreeFourFive and more')
})

it('shows an unfinished code fence as code from its first line', () => {
  renderMarkdown('Text\n\n```python\nprint(1)\nprint(', true)
  expect(screen.getByRole('group', { name: 'Python' }).textContent).toBe('print(1)\nprint(')
})

it('highlights a finished code block while the rest of the reply is written', async () => {
  const finished = '```ts\nconst first = 1\n```'
  const writing = '```ts\nconst second = 2'
  renderMarkdown(`${finished}\n\nThen:\n\n${writing}`, true)
  const [first, second] = screen.getAllByRole('group', { name: 'TypeScript' })
  await waitFor(() => expect(first?.querySelector('.text-code-keyword')?.textContent).toBe('const'))
  expect(second?.querySelector('.text-code-keyword')).toBeNull()
})

it('inline code shows the characters that would reorder it', () => {
  const container = renderMarkdown('Run `rm \u202efr- \u2066x\u200b` or `ls`')
  expect([...container.querySelectorAll('code')].map(({ textContent }) => textContent)).toEqual([
    'rm [U+202E]fr- [U+2066]x[U+200B]',
    'ls',
  ])
})

it('the host beside a link has a direction of its own', () => {
  const container = renderMarkdown('[\u202eclick](https://moc.knab.evil.example/)')
  expect(container.querySelector('bdi')?.textContent).toBe(' moc.knab.evil.example')
})

it('shows characters that reorder or hide code, and copies the code as it is', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue(undefined)
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  const code = 'isAdmin = false // \u202e\u200bnimda\r\nنص عربي 👍🏽'
  renderMarkdown(`\`\`\`ts\r\n${code}\r\n\`\`\``)
  expect(screen.getByRole('group', { name: 'TypeScript' }).textContent).toBe(
    'isAdmin = false // [U+202E][U+200B]nimda\nنص عربي 👍🏽',
  )
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Copy code' })))
  expect(writeText).toHaveBeenCalledWith(code.replace('\r', ''))
})

it('draws a text with footnotes up to the limit, then shows the rest as it is written', () => {
  const { container } = render(
    <Markdown text={`One[^1]\n\n${'$a$ '.repeat(1_000)}\n\n[^1]: note`} isStreaming={false} />,
  )
  screen.getByText('Shown as plain text, because formatting it would take too long:')
  expect(container.querySelectorAll('.katex, code')).toHaveLength(0)
  expect(container.textContent).toContain('$a$ $a$')
  expect(container.textContent).toContain('[^1]: note')
})

it('shows a degenerate text in part as plain text, and says so', () => {
  const tooComplex = 'Shown as plain text, because formatting it would take too long:'
  const { container, rerender } = render(<Markdown text={'- a\n'.repeat(8_000)} isStreaming={false} />)
  expect(screen.getByText(tooComplex)).toBeTruthy()
  // with a footnote the whole text would be parsed at once
  rerender(<Markdown text={`# One\n\n[^a]: note\n\n${'# a\n'.repeat(3_000)}Last`} isStreaming={false} />)
  expect(container.querySelectorAll('h1,h2,h3,h4').length).toBeGreaterThan(2_000)
  expect(container.textContent).toContain('Last')
  rerender(<Markdown text={`${'> '.repeat(20)}deep`} isStreaming={false} />)
  expect(screen.getByText(tooComplex)).toBeTruthy()
})

it.each([
  ['**この文。**次の文', 'strong', 'この文。'],
  ['私は**「太字」**です', 'strong', '「太字」'],
  ['这是~~“删除”~~的', 'del', '“删除”'],
  ['我要**[链接](https://e.example)**吗', 'strong a', '链接'],
  ['한국어**(강조)**를', 'strong', '(강조)'],
])('emphasis next to full-width punctuation: %j', (markdown, selector, text) =>
  expect(renderMarkdown(markdown).querySelector(selector)?.textContent).toBe(text),
)

it.each([
  ['`fs.readFile` هي دالة', 'ltr'],
  ['- `npm` أداة', 'ltr'],
  ['قل `مرحبا!`', 'auto'],
])(
  'code in a line has its own direction, so that it does not decide about the text around it: %j',
  (markdown, dir) => expect(renderMarkdown(markdown).querySelector('code')?.getAttribute('dir')).toBe(dir),
)

it('each list, quote and table has its own direction', () => {
  const container = renderMarkdown(
    'Python היא\n\n- שפה\n  1. א\n\n> ציטוט\n\n| א | ב |\n| - | - |\n| ג | ד |',
  )
  const blocks = [...container.querySelectorAll('ul, ol, blockquote, table')]
  expect(blocks.map(({ nodeName }) => nodeName)).toEqual(['UL', 'OL', 'BLOCKQUOTE', 'TABLE'])
  for (const block of blocks) expect(block.getAttribute('dir')).toBe('auto')
})

it.each(['$$\na = b\n\nc', '$$\na = b\n\nc = d\n$', 'so\n\n\\[\na\n\nb', '- x\n\n$$\na\n\nb\n\nc'])(
  'shows no delimiter of a formula with blank lines while it streams: %j',
  (text) => {
    const shown = renderMarkdown(text, true)
    expect(shown.textContent).not.toMatch(/\$|\\\[/)
    expect(shown.querySelector('code')?.textContent).toMatch(/^a/)
  },
)
