import { expect, it } from 'vitest'
import { inlinePageFiles } from './inline-page-files.ts'
import { readBlocks } from './read-blocks.ts'

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`
const page = (head: string, body = '<p>Hi</p>') =>
  `<!DOCTYPE html><html><head>${head}</head><body>${body}</body></html>`
const css = 'p { color: red }'
const js = 'document.title = "x"'

/** The joined page without line ends. */
function join(...parts: string[]) {
  const blocks = readBlocks(parts.join('\n'))
  const { html, missing } = inlinePageFiles(
    blocks.find(({ kind }) => kind === 'html')!,
    blocks,
  )
  return [html.replaceAll('\n', ''), missing]
}
const style = `<style>${css}</style>`
const script = `<script>${js}</script>`

it.each([
  [
    'by its tags, which name files that the fences do not',
    [
      fenced(
        'html',
        page('<link rel="stylesheet" href="style.css">', '<p>Hi</p><script src="script.js"></script>'),
      ),
      fenced('css', css),
      fenced('js', js),
    ],
    page(style, `<p>Hi</p>${script}`),
    [],
  ],
  [
    'by names in the fences, whatever their order and folders',
    [
      fenced('css:css/theme.css', css),
      fenced('css title="other.css"', 'a {}'),
      fenced('html', page("<link href='./css/theme.css?v=2' rel=stylesheet>")),
    ],
    page(style),
    [],
  ],
  [
    'by names above the blocks',
    [
      fenced('html', page('<link rel="stylesheet" href="b.css">')),
      '**`a.css`**',
      fenced('css', 'a {}'),
      '### 2. b.css (new)',
      fenced('css', css),
    ],
    page(style),
    [],
  ],
  [
    'by names in the first comments',
    [
      fenced('html', page('<script src="app.js"></script>')),
      fenced('javascript', `// other.js\nlet a`),
      fenced('javascript', `// src/app.js\n${js}`),
    ],
    page(`<script>// src/app.js${js}</script>`),
    [],
  ],
  [
    'without tags',
    [fenced('html', page('')), fenced('css', css), fenced('js', js)],
    page(style, `<p>Hi</p>${script}`),
    [],
  ],
  [
    'without a head',
    [fenced('html', '<p>Hi</p>'), fenced('css', css), fenced('js', js)],
    `${style}<p>Hi</p>${script}`,
    [],
  ],
  [
    'a deferred script at the end',
    [fenced('html', page('<script defer src="a.js"></script>')), fenced('js', js)],
    page('', `<p>Hi</p>${script}`),
    [],
  ],
  [
    'a module',
    [fenced('html', page('<script type="module" src="a.js"></script>')), fenced('js', 'export {}')],
    page('<script type="module">export {}</script>'),
    [],
  ],
  [
    'a named picture',
    [fenced('html', page('', '<img src="sun.svg">')), fenced('svg:sun.svg', '<svg/>')],
    page(
      '',
      `<img src="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}">`,
    ),
    [],
  ],
  [
    'a picture whose name is also its text',
    [fenced('html', page('', '<img alt="sun.svg" src=sun.svg>')), fenced('svg:sun.svg', '<svg/>')],
    page(
      '',
      `<img alt="sun.svg" src="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}">`,
    ),
    [],
  ],
  [
    'a page with letters whose small form is longer',
    [fenced('html', page('<title>İİİ</title>', '<p>İstanbul</p>')), fenced('css', css), fenced('js', js)],
    page(`<title>İİİ</title>${style}`, `<p>İstanbul</p>${script}`),
    [],
  ],
  [
    'no excerpt of the page',
    [fenced('html', page(style, script)), fenced('css', css), fenced('js', js)],
    page(style, script),
    [],
  ],
  [
    'nothing to a page with its own, unless it has a name',
    [
      fenced('html', page('<style>a{}</style>', '<script>let b</script>')),
      fenced('css', css),
      fenced('js', js),
    ],
    page('<style>a{}</style>', '<script>let b</script>'),
    [],
  ],
  [
    'no code of a server',
    [fenced('html', page('')), fenced('js', `const a = require('express')`)],
    page(''),
    [],
  ],
  [
    'addresses elsewhere stay',
    [
      fenced(
        'html',
        page('<script src="https://cdn.example.org/a.js"></script><link rel="icon" href="i.png">'),
      ),
      fenced('css', css),
    ],
    page(`<script src="https://cdn.example.org/a.js"></script><link rel="icon" href="i.png">${style}`),
    [],
  ],
  [
    'what is missing is named',
    [
      fenced(
        'html',
        page(
          '<link rel="stylesheet" href="a.css"><script src="/js/b.js"></script>',
          '<img src="c.png"><img src="${d}">',
        ),
      ),
    ],
    page(
      '<link rel="stylesheet" href="a.css"><script src="/js/b.js"></script>',
      '<img src="c.png"><img src="${d}">',
    ),
    ['a.css', 'b.js', 'c.png'],
  ],
  [
    'closing tags in code do not end it',
    [fenced('html', page('')), fenced('js', 'a("</script>")')],
    page('', String.raw`<p>Hi</p><script>a("<\/script>")</script>`),
    [],
  ],
])('joins %s', (_, parts, html, missing) => {
  expect(join(...parts)).toEqual([html, missing])
})

it('each page of a reply has the parts behind it', () => {
  const blocks = readBlocks(
    [
      fenced('html', '<p>A</p>'),
      fenced('css', 'a {}'),
      fenced('html', '<p>B</p>'),
      fenced('css', 'b {}'),
    ].join('\n'),
  )
  expect(
    [blocks[0]!, blocks[2]!].map((one) => inlinePageFiles(one, blocks).html.replaceAll('\n', '')),
  ).toEqual(['<style>a {}</style><p>A</p>', '<style>b {}</style><p>B</p>'])
})
