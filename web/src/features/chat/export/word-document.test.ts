import { strFromU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { limitCpuTimeAsync } from '../../../../../test/support/fuzz.ts'
import { buildWordDocument, type WordMessage } from './word-document.ts'

const onePixel = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
)

async function write(messages: readonly WordMessage[]) {
  const blob = await buildWordDocument(
    { title: 'A title', subtitle: 'Started today', messages },
    ({ name }) =>
      Promise.resolve(
        name === 'a.png' ? { type: 'png', data: onePixel, width: 1_200, height: 600 } : undefined,
      ),
  )
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()))
  const read = (name: string) => strFromU8(files[name] ?? new Uint8Array())
  const xml = new DOMParser().parseFromString(read('word/document.xml'), 'application/xml')
  expect(xml.querySelector('parsererror')).toBeNull()
  return { xml, read, names: Object.keys(files) }
}
const reply = (content: string, more: Partial<WordMessage> = {}): WordMessage => ({
  role: 'assistant',
  content,
  attachments: [],
  tool_calls: [],
  ...more,
})

const find = (parent: Document | Element, name: string) => [...parent.getElementsByTagName(name)]
const readParagraph = (paragraph: Element) =>
  find(paragraph, '*')
    .map(({ nodeName, textContent }) =>
      nodeName === 'w:t' || nodeName === 'm:t' ? textContent : nodeName === 'w:br' ? '\n' : '',
    )
    .join('')
/** The text of each paragraph, with its style. */
const readParagraphs = (xml: Document) =>
  find(xml, 'w:p').map((paragraph) => {
    const style = paragraph.getElementsByTagName('w:pStyle')[0]?.getAttribute('w:val')
    return style ? `${style}: ${readParagraph(paragraph)}` : readParagraph(paragraph)
  })

it.each([
  ['# One\n\n###### Six', ['Heading1: One', 'Heading6: Six']],
  ['a\nb', ['a\nb']],
  ['- a\n  - b\n\n1. c\n   d', ['ListParagraph: a', 'ListParagraph: b', 'ListParagraph: c\nd']],
  ['- [x] done\n- [ ] open', ['ListParagraph: ☑ done', 'ListParagraph: ☐ open']],
  ['> [!NOTE]\n> Mind.', ['Note', 'Mind.']],
  ['```js\na()\n\tb()\n```That is all.', ['Code: a()\n    b()', 'That is all.']],
  ['| a | b |\n|-|-|\n| x<br>y | $z$ |', ['a', 'b', 'x\ny', 'z', '']],
  ['so\n$$x$$\nand', ['so', 'x', 'and']],
  ['bad $\\frac{1}$', ['bad \\frac{1}']],
  ['<details>\n<summary>More</summary>\n\nhidden\n\n</details>', ['More', 'hidden']],
  ['a <b> & "c"', ['a <b> & "c"']],
  ['[Your bank](https://evil.example/x)', ['Your bank (evil.example)']],
  [
    '[https://bank.example/?evil.example][x]\n\n[x]: https://evil.example',
    ['https://bank.example/?evil.example (evil.example)'],
  ],
  ['See <https://a.example/x>', ['See https://a.example/x']],
  ['control \u0001 \uFFFF\uD800 end', ['control  \uFFFD end']],
])('writes %j', async (markdown, paragraphs) =>
  expect(readParagraphs((await write([reply(markdown)])).xml)).toEqual(paragraphs),
)

it('writes a conversation with its title, who said what, files, sources and endings', async () => {
  const files = [
    { id: 'a', name: 'a.png', type: 'image/png', size: 1 },
    { id: 'b', name: 'b.pdf', type: 'application/pdf', size: 1 },
  ]
  const { xml, read, names } = await write([
    { ...reply('Hi **there**\n# no heading', { attachments: files }), role: 'user', heading: 'You, 9:00' },
    reply('# A heading[^1]\n\n[^1]: The note.', {
      heading: 'Juno, 9:01',
      sources: [{ url: 'https://a.example/x', title: 'A page' }, { url: 'javascript:x' }],
      ended: 'stopped',
    }),
  ])
  expect(readParagraphs(xml)).toEqual([
    'Heading1: A title',
    'Meta: Started today',
    'Heading2: You, 9:00',
    'Hi there\n# no heading',
    '',
    'Meta: Attached: b.pdf',
    'Heading2: Juno, 9:01',
    'Heading3: A heading',
    'Meta: Sources',
    'Meta: 1. A page (a.example)',
    'Meta: 2. javascript:x',
    'Meta: Generation stopped by user.',
  ])
  expect(names.filter((name) => name.startsWith('word/media/'))).toHaveLength(1)
  // 600 of 1,200 pixels, in EMU
  expect(find(xml, 'wp:extent')[0]?.getAttribute('cx')).toBe(String(600 * 9_525))
  expect(read('word/footnotes.xml')).toContain('The note.')
  const links = read('word/_rels/document.xml.rels')
  expect(links).toContain('https://a.example/x')
  expect(links).not.toContain('javascript')
})

// from a report about another product: CherryHQ/cherry-studio#2055
it('has the tables below a reply, with all rows that are stored and what they are a part of', async () => {
  const rows = Array.from({ length: 20 }, (_, index) => [`Region ${index}`, 1_000 + index, null])
  const sources = [{ table: 't', file: 'A.xlsx', sheet: 'May' }]
  const query = (columns: string[], rows: unknown[][], total: number) => ({
    tool: 'query_table',
    action: 'Query tables',
    parameters: {},
    result: { success: true, data: { columns, rows, total_rows: total, sources } },
  })
  const { xml } = await write([
    reply('Here they are.', {
      heading: 'Juno, 9:01',
      tool_calls: [
        query(['region', 'sum_eur', 'note'], rows, 70),
        // one value stands in the text
        query(['count'], [[70]], 1),
        query(['name'], [['a\u0001\u202eb'], ['c']], 2),
      ],
      ended: 'stopped',
    }),
  ])
  const paragraphs = readParagraphs(xml).slice(3)
  expect(paragraphs.slice(0, 7)).toEqual([
    'Here they are.',
    'Region',
    'Sum eur',
    'Note',
    'Region 0',
    '1,000',
    '',
  ])
  expect(paragraphs.slice(-9)).toEqual([
    'Region 19',
    '1,019',
    '',
    'Meta: May · 20 of 70 rows · A.xlsx, sheet “May”',
    'Name',
    'a[U+0001][U+202E]b',
    'c',
    'Meta: May · 2 rows · A.xlsx, sheet “May”',
    'Meta: Generation stopped by user.',
  ])
  expect(find(xml, 'w:tbl')).toHaveLength(2)
  expect(find(xml, 'w:jc').filter((jc) => jc.getAttribute('w:val') === 'end')).toHaveLength(21)
})

it('notes have all their blocks, wherever they are written', async () => {
  const { xml: text, read } = await write([
    reply(
      'One[^1] two[^2] again[^1].\n\n> three[^3]\n>\n> [^3]: In a quote.\n\n- four[^4]\n\n  [^4]: In an item.\n\n[^1]: First.\n\n    - an item\n\n    ```\n    code()\n    ```\n\n    | a | b |\n    |-|-|\n    | c | d |\n\n[^2]: Like [^2] and [^1].',
    ),
  ])
  expect(readParagraphs(text)).toEqual(['One two again1.', 'three', 'ListParagraph: four'])
  expect(find(text, 'w:footnoteReference')).toHaveLength(4)
  const xml = new DOMParser().parseFromString(read('word/footnotes.xml'), 'application/xml')
  expect(readParagraphs(xml).filter((text) => text !== '')).toEqual([
    'First.',
    'ListParagraph: an item',
    'Code: code()',
    'a',
    'b',
    'c',
    'd',
    'Like [2] and [1].',
    'In a quote.',
    'In an item.',
  ])
})

it('formulas can be edited in Word', async () => {
  const { xml } = await write([
    reply(
      '$\\frac{a}{b}$ $\\sqrt[3]{x_i^2}$ $\\hat{x}$\n\n$$\\sum_{i=1}^n \\left(\\begin{matrix}1&2\\\\3&4\\end{matrix}\\right) \\text{if } \\mathbf{v}$$\n\n\\begin{align}\na &= b \\label{e} \\\\\nc &= d\n\\end{align}',
    ),
  ])
  for (const name of ['f', 'rad', 'sSubSup', 'acc', 'limLow', 'limUpp', 'd', 'm', 'nor', 'sty'])
    expect([name, find(xml, `m:${name}`).length > 0]).toEqual([name, true])
  expect(find(xml, 'm:oMathPara')).toHaveLength(2)
  // two rows of two cells, without those for the number
  expect(find(find(xml, 'm:oMathPara')[1] as Element, 'm:e')).toHaveLength(4)
})

it.each(['acute', 'grave', 'bar', 'breve', 'check', 'hat', 'vec', 'dot', 'mathring', 'overleftarrow'])(
  'the accent \\%s is a combining character, as Word wants',
  async (accent) => {
    const { xml } = await write([reply(`$\\${accent}{x}$`)])
    expect(find(xml, 'm:chr').map((chr) => chr.getAttribute('m:val'))).toEqual([
      expect.stringMatching(/^\p{Mn}$/u),
    ])
  },
)

it('a formula keeps wide spaces, hides phantoms, and has no characters that a file cannot contain', async () => {
  const { xml } = await write([reply('$x \\quad y \\phantom{z} \uFFFF\\char1$')])
  expect(find(xml, 'm:oMath')).toHaveLength(1)
  expect(find(xml, 'm:t').map(({ textContent }) => textContent)).toEqual(['x', '\u2003', 'y', 'z'])
  expect(find(find(xml, 'm:phant')[0] as Element, 'm:t').map(({ textContent }) => textContent)).toEqual(['z'])
})

it('headings, sources and lines of messages from right to left, and lines that end in CR LF', async () => {
  const { xml } = await write([
    {
      ...reply('a\r\nb\r\n\r\nc'),
      role: 'user',
      heading: 'أنت',
      sources: [
        { url: 'https://a.example', title: 'אתר' },
        { url: 'x', title: 'אתר' },
      ],
    },
  ])
  expect(readParagraphs(xml).slice(2, 5)).toEqual(['Heading2: أنت', 'a\nb', 'c'])
  expect(find(xml, 'w:rtl')).toHaveLength(3)
})

it('marks of text that Markdown has no sign for', async () => {
  const { xml } = await write([
    reply(
      '10<sup>3</sup> H<sub>2</sub>O <u>a</u> ==b== <kbd>F1</kbd> <ruby>漢<rp>[</rp><rt>かん</rt></ruby>',
    ),
  ])
  const marks = find(xml, 'w:r').map((run) =>
    [
      readParagraph(run),
      ...find(run, 'w:rPr').flatMap((style) => find(style, '*').map(({ nodeName }) => nodeName)),
    ].join(' '),
  )
  expect(marks).toEqual(
    expect.arrayContaining(['3 w:vertAlign', '2 w:vertAlign', 'a w:u', 'b w:highlight', 'F1 w:rFonts']),
  )
  expect(readParagraphs(xml).at(-1)).toContain('F1 漢(かん)')
})

it('texts from right to left, and numbers of lists', async () => {
  const { xml, read } = await write([
    reply('نص عربي مع English.\n\n| א | ב |\n|-|-|\n| ג | ד |\n\n3. three\n7. seven\n\ntext\n\n1. one'),
  ])
  expect(find(xml, 'w:bidi').length).toBeGreaterThan(4)
  expect(find(xml, 'w:bidiVisual')).toHaveLength(1)
  expect(find(xml, 'w:rtl').length).toBeGreaterThan(4)
  // code does not decide about the text around it
  const { xml: withCode } = await write([reply('`fs.readFile` هي دالة\n\n**`npm`** أداة\n\n`نص`')])
  expect(find(withCode, 'w:bidi')).toHaveLength(2)
  const numbering = read('word/numbering.xml')
  expect(numbering).toContain('<w:start w:val="3"/>')
  expect(numbering).toContain('<w:start w:val="7"/>')
  const used = find(xml, 'w:numId').map((id) => id.getAttribute('w:val'))
  expect(new Set(used).size).toBe(3)
})

it.each(['> ', '- ', '**a **', '| a ', '\n# a\n', '<details>\n\n'])(
  '20,000 characters of %j are written in time',
  async (unit) => {
    const { names } = await limitCpuTimeAsync(() => write([reply(unit.repeat(20_000 / unit.length))]), 10_000)
    expect(names).toContain('word/document.xml')
  },
)
