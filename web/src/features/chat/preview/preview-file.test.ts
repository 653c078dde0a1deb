import { expect, it } from 'vitest'
import type { PreviewVersion } from './find-versions.ts'
import { getTitle, toFile } from './preview-file.ts'

const version = (kind: PreviewVersion['kind'], content: string, filename?: string): PreviewVersion => ({
  kind,
  code: content,
  content,
  missing: [],
  isComplete: true,
  ...(filename !== undefined && { filename }),
})

it.each<[PreviewVersion, string | undefined, string]>([
  [version('html', '<title>Tom &amp; Ann</title><h1>Other</h1>'), 'Tom & Ann', 'Tom & Ann.html'],
  [version('html', '<title> </title><body><h1>A <b>clock</b></h1>'), 'A clock', 'A clock.html'],
  [version('html', '<body><svg><title>Icon</title></svg><h1>Shop</h1>'), 'Shop', 'Shop.html'],
  [version('html', '<p>Nothing</p>', 'index.html'), 'index.html', 'index.html'],
  [version('html', '<p>Nothing</p>'), undefined, 'preview.html'],
  [version('html', '<title>../a\\b:c*?"<>|d.</title>'), '../a\\b:c*?"<>|d.', 'a b c d.html'],
  [version('html', '<title>nul</title>'), 'nul', 'nul_.html'],
  [
    version('html', `<title>${'long '.repeat(60)}</title>`),
    'long '.repeat(40).trim(),
    `${'long '.repeat(16).trim()}.html`,
  ],
  [version('html', '<title>\u202egpj.exe\u2066</title>'), '\u202egpj.exe\u2066', 'gpj.exe.html'],
  [version('svg', '<?xml version="1.0"?><svg><title>Sun</title></svg>'), 'Sun', 'Sun.svg'],
  [version('svg', '<svg></svg>', 'logo.svg'), 'logo.svg', 'logo.svg'],
  [version('mermaid', '---\ntitle: "My flow"\n---\nflowchart TD'), 'My flow', 'My flow.mmd'],
  [version('mermaid', 'pie title Pets\n "a": 1'), 'Pets', 'Pets.mmd'],
  [version('mermaid', 'flowchart TD\n A --> B'), undefined, 'preview.mmd'],
  [version('csv', 'Name,Age', 'people.csv'), 'people.csv', 'people.csv'],
  [version('csv', 'Name,Age'), undefined, 'preview.csv'],
  [version('csv', 'Name\tAge\nAnn\t7', 'people.tsv'), 'people.tsv', 'people.tsv'],
  [
    version('markdown', '```sh\n# no\n```\n\n## The *big* [plan](https://a.example) ##\n'),
    'The big plan',
    'The big plan.md',
  ],
  [version('markdown', '---\ntitle: Notes\n---\n\nText'), 'Notes', 'Notes.md'],
  [version('markdown', 'Heading\n=======\n'), 'Heading', 'Heading.md'],
])('%j is called %j and saved as %j', (one, title, name) => {
  expect([getTitle(one), toFile(one).name]).toEqual([title, name])
})

it.each([
  ['<svg width="1"/>', '<svg xmlns="http://www.w3.org/2000/svg" width="1"/>'],
  ['<svg\n xmlns="http://www.w3.org/2000/svg"/>', '<svg\n xmlns="http://www.w3.org/2000/svg"/>'],
])('the picture %j can be opened when it is saved', async (code, saved) => {
  expect(await toFile(version('svg', code)).blob.text()).toBe(saved)
})

it('a table is saved as UTF-8 that spreadsheets recognise', async () => {
  const bytes = new Uint8Array(await toFile(version('csv', 'Größe,=1')).blob.arrayBuffer())
  expect(bytes.subarray(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf))
})
