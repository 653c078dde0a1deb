import { strFromU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { buildWordDocument, type WordMessage } from './word-document.ts'

const aReply = (content: string, more: Partial<WordMessage> = {}): WordMessage => ({
  role: 'assistant',
  content,
  attachments: [],
  ...more,
})

/** The parts of a document, without the ids that the library draws. */
async function write(messages: readonly WordMessage[], title = 'Title') {
  const blob = await buildWordDocument({ title, subtitle: 'Started today', messages }, ({ name }) =>
    Promise.resolve(
      name === 'a.png' ? { type: 'png', data: new Uint8Array(png), width: 1_200, height: 600 } : undefined,
    ),
  )
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()))
  const read = (name: string) => strFromU8(files[name] ?? new Uint8Array())
  return { blob, body: read('word/document.xml'), read, names: Object.keys(files) }
}
const png = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (c) => c.charCodeAt(0),
)

it('probe', async () => {
  const text = [
    '# Heading',
    'A **bold** *word*, `code`, ~~gone~~ and [link](https://example.com/a b.pdf).',
    '1. one\n  - sub\n2. two\n\n   more',
    '- [x] done\n- [ ] open',
    '3. three',
    '> [!NOTE]\n> Mind **this**.',
    '```js\nconst a = 1\n\tb()\n```',
    '| a | b |\n|:-|-:|\n| 1 | $x^2$ |\n| two<br>lines | x |',
    'Inline $\\frac{a}{b}$ and $\\sum_{i=1}^n \\sqrt{x_i}$:',
    '$$\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix} = \\hat{x}\\tag{1}$$',
    '\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}',
    'Bad $\\frac{1}$.',
    'نص عربي مع English.',
    '| א | ב |\n|-|-|\n| ג | ד |',
    '这是**重点**。',
    'Text[^1]\n\n[^1]: The note.',
    '<details>\n<summary>More</summary>\n\nhidden\n\n</details>',
    '---',
    'control \u0001 \uD800 end',
  ].join('\n\n')
  const { blob, body } = await write([
    {
      ...aReply('Hi\nthere\n\n**not bold**'),
      role: 'user',
      heading: 'You, today',
      attachments: [
        { id: '1', name: 'a.png', type: 'image/png', size: 1 },
        { id: '2', name: 'b.pdf', type: 'application/pdf', size: 1 },
      ],
    },
    aReply(text, {
      heading: 'Juno, today',
      sources: [{ url: 'https://a.example/', title: 'A page' }],
      ended: 'stopped',
    }),
  ])
  const { writeFileSync } = await import('node:fs')
  writeFileSync('/tmp/markdown/x.docx', new Uint8Array(await blob.arrayBuffer()))
  expect(body).toContain('Heading')
})
