import { expect, it } from 'vitest'
import { TextImages } from './text-images.ts'
import { limitCpuTime } from '../../test/support/fuzz.ts'

function read(pieces: readonly string[]) {
  const result = { text: '', images: [] as string[] }
  const images = new TextImages({
    onText: (delta) => (result.text += delta),
    onImage: (url) => result.images.push(url),
  })
  for (const piece of pieces) images.add(piece)
  images.end()
  return result
}

const png = `data:image/png;base64,${'iVBORw0KGgo+/'.repeat(20)}`

it.each<[string, string, string, string[]]>([
  ['Markdown', `Here: ![an image](${png}) So.`, 'Here:  So.', [png]],
  ['a link', `Here: [image](${png})`, 'Here: ', [png]],
  ['an address alone', png, '', [png]],
  ['an address on a line of its own', `Here:\n ${png}\nSo.`, 'Here:\n \nSo.', [png]],
  ['two images', `![](${png})![](${png})`, '', [png, png]],
  ['an address in a sentence', `The address ${png} is one.`, `The address ${png} is one.`, []],
  ['code', `Use \`![](${png})\`.`, `Use \`![](${png})\`.`, []],
  ['a block of code', `\n\`\`\`\n![](${png})\n\`\`\``, `\n\`\`\`\n![](${png})\n\`\`\``, []],
  ['HTML', `<img src="${png}">`, `<img src="${png}">`, []],
  [
    'another link',
    'See [1] and ![a](https://example.com/a.png) and [b',
    'See [1] and ![a](https://example.com/a.png) and [b',
    [],
  ],
  ['the beginning of one', 'See ![a](data:image/', 'See ![a](data:image/', []],
  ['words that begin so', 'Hi! [x] data: d', 'Hi! [x] data: d', []],
])('reads %s, however it is cut', (_, whole, text, images) => {
  expect(read([whole])).toEqual({ text, images })
  expect(read(whole.match(/[^]{1,7}/g) ?? [])).toEqual({ text, images })
})

it('passes on text at once', () => {
  const pieces: string[] = []
  const images = new TextImages({ onText: (delta) => pieces.push(delta), onImage: () => undefined })
  for (const piece of ['Hello!', ' A dog', ' and [1] more']) images.add(piece)
  expect(pieces).toEqual(['Hello!', ' A dog', ' and [1] more'])
})

it('an image that does not end is none', () => {
  expect(read(['So: ', `![](${png}`])).toEqual({ text: 'So: ', images: [] })
})

it.each(['![', '[', 'data:image/png;base64,', '![](data:image/png;base64,', 'A', '!'])(
  'takes a time that grows with the text: %s',
  (piece) => {
    const readThrice = () => {
      read([piece.repeat(50_000)])
      read(Array.from({ length: 50_000 }, () => piece))
      read(['![](data:image/png;base64,', ...Array.from({ length: 50_000 }, () => piece)])
    }
    expect(() => limitCpuTime(readThrice, 3_000)).not.toThrow()
  },
)
