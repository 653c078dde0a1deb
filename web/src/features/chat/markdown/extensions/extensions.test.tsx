import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { PageProviders } from '../../../../../../test/support/render-page.tsx'
import { limitCpuTime } from '../../../../../../test/support/fuzz.ts'
import { Markdown } from '../markdown.tsx'
import { ReplyFilesContext } from '../reply-files-context.ts'
import { formatAsHtml } from '../serialize-dom.ts'

/** The structure of a reply, as it is copied: what belongs to the page is left out. */
const toHtml = (markdown: string) =>
  formatAsHtml(
    render(<Markdown text={markdown} isStreaming={false} />).container.querySelector(
      '[data-reply-text]',
    ) as Element,
  )

describe('bullets below a number', () => {
  it.each([
    [
      '1. First\n  - sub a\n  - sub b\n2. Second\n  - sub c\n3. Third',
      '<ol><li>First<ul><li>sub a</li><li>sub b</li></ul></li><li>Second<ul><li>sub c</li></ul></li><li>Third</li></ol>',
    ],
    ['1. a\n  - b\n    - c\n2. d', '<ol><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ol>'],
    ['10. a\n   * b\n11. c', '<ol start="10"><li>a<ul><li>b</li></ul></li><li>c</li></ol>'],
    ['1. a\n\n  - b\n\n2. c', '<ol><li><p>a</p><ul><li>b</li></ul></li><li><p>c</p></li></ol>'],
    ['> 1. a\n>   - b', '<blockquote><ol><li>a<ul><li>b</li></ul></li></ol></blockquote>'],
  ])('belong to it with two blanks: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))

  it.each([
    ['1. a\n - b', '<ol><li>a</li></ol><ul><li>b</li></ul>'],
    ['1. a\n- b', '<ol><li>a</li></ol><ul><li>b</li></ul>'],
    ['1. a\n 2. b\n  3. c', '<ol><li>a</li><li>b</li><li>c</li></ol>'],
    ['1. a\n  -b', '<ol><li>a<br>-b</li></ol>'],
    ['1. a\n   - b', '<ol><li>a<ul><li>b</li></ul></li></ol>'],
    ['- a\n - b\n  - c', '<ul><li>a</li><li>b</li><li>c</li></ul>'],
    ['1.\n\n  - b', '<ul><li>b</li></ul>'],
  ])('stay where CommonMark has them: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))
})

describe('lists that begin in an item', () => {
  it.each([
    ['a\n- 5. b', '<p>a</p><ul><li><ol start="5"><li>b</li></ol></li></ul>'],
    ['a\n> - 5. b', '<p>a</p><blockquote><ul><li><ol start="5"><li>b</li></ol></li></ul></blockquote>'],
    ['a\n> 5. b', '<p>a</p><blockquote><ol start="5"><li>b</li></ol></blockquote>'],
    ['- a\n- 5. b', '<ul><li>a</li><li><ol start="5"><li>b</li></ol></li></ul>'],
    ['a[^1]\n[^1]: 5. b', expect.stringContaining('<ol start="5"><li>b')],
    ['a[^1]\n[^1]:5. b', expect.stringContaining('<ol start="5"><li>b')],
  ])('interrupt nothing: %j', (markdown, html) => expect(toHtml(markdown)).toEqual(html))

  it.each([
    ['a\n5. b', '<p>a<br>5. b</p>'],
    ['> a\n> 5. b', '<blockquote><p>a<br>5. b</p></blockquote>'],
    ['- a\n  5. b', '<ul><li>a<br>5. b</li></ul>'],
    ['a[^1]\n[^1]: c\n    5. b', expect.stringMatching(/c<br>5\. b/)],
    ['a\n1. b', '<p>a</p><ol><li>b</li></ol>'],
  ])('stay what CommonMark makes of them: %j', (markdown, html) => expect(toHtml(markdown)).toEqual(html))
})

describe('fences', () => {
  it.each([
    [
      '```js\na()\n```That is all.\n\n**b**',
      '<pre><code>a()</code></pre><p>That is all.</p><p><strong>b</strong></p>',
    ],
    ['~~~\na\n~~~ 以上です\nb', '<pre><code>a</code></pre><p>以上です</p><p>b</p>'],
    [
      '- x\n  ```\n  a\n  ```Then **b**, he said',
      '<ul><li>x<pre><code>a</code></pre>Then <strong>b</strong>, he said</li></ul>',
    ],
    [
      '```markdown\n# x\n```bash\nls\n```\nmore\n```\nout',
      '<pre><code># x\n```bash\nls\n```\nmore</code></pre><p>out</p>',
    ],
    ['````markdown\na\n````js\nb\n````\n````\nout', '<pre><code>a\n````js\nb\n````</code></pre><p>out</p>'],
    ['~~~markdown\na\n```py\nb\n```\nc\n~~~\nout', '<pre><code>a\n```py\nb\n```\nc</code></pre><p>out</p>'],
    // FiligranHQ/filigran-ui#288
    [
      '```markdown\n## Identity\nExample:\n```\nPIR Corporate\n```\n## Output\n```json\n{}\n```\n```\n\nout',
      '<pre><code>## Identity\nExample:\n```\nPIR Corporate\n```\n## Output\n```json\n{}\n```</code></pre><p>out</p>',
    ],
    [
      '```md\n# Use\n\n```\nnpm i\n```\n\nThen:\n\n```\nnpm start\n```\n```\n\nout\n\n```\ncode\n```',
      '<pre><code># Use\n\n```\nnpm i\n```\n\nThen:\n\n```\nnpm start\n```</code></pre><p>out</p><pre><code>code</code></pre>',
    ],
    ['~~~mdx\na\n~~~\nb\n~~~\n\nc\n~~~\nout', '<pre><code>a\n~~~\nb\n~~~\n\nc</code></pre><p>out</p>'],
    [
      '```markdown README.md\na\n```\nb\n```\n\n```\nout',
      '<pre><code>a\n```\nb\n```\n</code></pre><p>out</p>',
    ],
    ['~~~md\n~~~py\n~~~\n~~~\nout', '<pre><code>~~~py\n~~~</code></pre><p>out</p>'],
  ])('are read as models mean them: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))

  it.each([
    ['```js\na\n```ts\nb\n```\nc', '<pre><code>a\n```ts\nb</code></pre><p>c</p>'],
    ['```\na\n```title="x"\nb', '<pre><code>a\n```title="x"\nb</code></pre>'],
    ['````markdown\n```js\n```\n````\nb', '<pre><code>```js\n```</code></pre><p>b</p>'],
    ['```markdown\na\n```\nb', '<pre><code>a</code></pre><p>b</p>'],
    // a document that ends, and blocks behind it
    ['```markdown\na\n```\n\nb\n\n```\nc\n```', '<pre><code>a</code></pre><p>b</p><pre><code>c</code></pre>'],
    ['```markdown\na\n```\nb\n```\nc\n```', '<pre><code>a</code></pre><p>b</p><pre><code>c</code></pre>'],
    ['```markdown\na\n```\nb\n```js\nc\n```', '<pre><code>a</code></pre><p>b</p><pre><code>c</code></pre>'],
    ['```markdown\na\n```\nb\n```\n\nc', '<pre><code>a</code></pre><p>b</p><pre><code>\nc</code></pre>'],
    ['```\na\n```\nb\n```\n\nc\n```', '<pre><code>a</code></pre><p>b</p><pre><code>\nc</code></pre>'],
    ['```js\na\n~~~That is all.\n```\nb', '<pre><code>a\n~~~That is all.</code></pre><p>b</p>'],
    ['    ```\n    a', '<pre><code>```\na</code></pre>'],
    ['  ```\n  a\n   b\n c\n  ```', '<pre><code>a\n b\nc</code></pre>'],
    ['> ```\n> a\nb', '<blockquote><pre><code>a</code></pre></blockquote><p>b</p>'],
    ['``` a`b\nc', '<p>``` a`b<br>c</p>'],
    ['a\n```\nb\n```', '<p>a</p><pre><code>b</code></pre>'],
    ['```\n\n\na\n```', '<pre><code>\n\na</code></pre>'],
  ])('stay what CommonMark makes of them: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))
})

describe('headings without a blank', () => {
  it.each([
    ['#标题', '<h1>标题</h1>'],
    ['##一、**背景**\n\n文', '<h2>一、<strong>背景</strong></h2><p>文</p>'],
    ['###소개', '<h3>소개</h3>'],
    ['##Title', '<h2>Title</h2>'],
    ['text\n##见出し', '<p>text</p><h2>见出し</h2>'],
    ['#𠀀x', '<h1>𠀀x</h1>'],
    ['##𠀀', '<h2>𠀀</h2>'],
    ['##Title ##', '<h2>Title</h2>'],
    ['##Title #\t', '<h2>Title</h2>'],
    ['##A **b** ####  \nc', '<h2>A <strong>b</strong></h2><p>c</p>'],
    ['#标题 #', '<h1>标题</h1>'],
    ['> ##Title ##\n> b', '<blockquote><h2>Title</h2><p>b</p></blockquote>'],
    // as in CommonMark, these are no closing sequences
    ['##C#', '<h2>C#</h2>'],
    ['##A ## b', '<h2>A ## b</h2>'],
    ['##A \\##', '<h2>A ##</h2>'],
    ['##A #\\#', '<h2>A ##</h2>'],
  ])('%j', (markdown, html) => expect(toHtml(markdown)).toBe(html))

  it.each([
    ['#include <a>', '<p>#include &lt;a&gt;</p>'],
    ['#1 is best', '<p>#1 is best</p>'],
    ['#话题# 好', '<p>#话题# 好</p>'],
    ['#标签 #其他', '<p>#标签 #其他</p>'],
    ['文\n#标题', '<p>文<br>#标题</p>'],
    ['#🙂 x', '<p>#🙂 x</p>'],
    ['##🙂', '<p>##🙂</p>'],
    ['#𠀀 #其他', '<p>#𠀀 #其他</p>'],
    ['#!/bin/sh', '<p>#!/bin/sh</p>'],
    ['#######标题', '<p>#######标题</p>'],
    ['## A ##', '<h2>A</h2>'],
    ['`##Title`', '<p><code>##Title</code></p>'],
  ])('no heading: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))
})

describe('text that is aligned within its item', () => {
  it.each([
    ['-       **a** b', '<ul><li><strong>a</strong> b</li></ul>'],
    ['1.      one\n2.      two', '<ol><li>one</li><li>two</li></ol>'],
    ['- a\n  -      b\n- c', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
    ['*      a\n       b\n\n  c', '<ul><li><p>a<br>b</p><p>c</p></li></ul>'],
  ])('is text: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))

  it.each([
    ['-    a', '<ul><li>a</li></ul>'],
    ['- ```\n  a\n  ```', '<ul><li><pre><code>a</code></pre></li></ul>'],
    ['- a\n\n      b', '<ul><li><p>a</p><pre><code>b</code></pre></li></ul>'],
    ['    a', '<pre><code>a</code></pre>'],
  ])('stays: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))
})

describe('bold', () => {
  it.each([
    [
      '**Note: **read this, and ** Important**: that.',
      '<p><strong>Note: </strong>read this, and <strong> Important</strong>: that.</p>',
    ],
    ['**Note: **', '<p><strong>Note: </strong></p>'],
    ['- ** Title **', '<ul><li><strong> Title </strong></li></ul>'],
    ['* **具体：**与其说“一棵树”', '<ul><li><strong>具体：</strong>与其说“一棵树”</li></ul>'],
    ['**历经10年发展，**a', '<p><strong>历经10年发展，</strong>a</p>'],
    ['**English:**next', '<p><strong>English:</strong>next</p>'],
    ['**English:**𝐱', '<p><strong>English:</strong>𝐱</p>'],
    ['**Note😀**𝐱', '<p><strong>Note😀</strong>𝐱</p>'],
    ['* **English:**next', '<ul><li><strong>English:</strong>next</li></ul>'],
    ['*   ** Note: ** ', '<ul><li><strong> Note: </strong></li></ul>'],
    ['*Really*, **Note:**read *this*', '<p><em>Really</em>, <strong>Note:</strong>read <em>this</em></p>'],
    ['2 * 3, **Sum:**6', '<p>2 * 3, <strong>Sum:</strong>6</p>'],
    ['他说**“好”**了，**注意：**正文', '<p>他说<strong>“好”</strong>了，<strong>注意：</strong>正文</p>'],
  ])('with blanks, and after punctuation: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))

  it.each([
    ['2 ** 3 and 4 ** 5', '<p>2 ** 3 and 4 ** 5</p>'],
    ['x**2 + y **2', '<p>x**2 + y **2</p>'],
    ['`**a: **b`', '<p><code>**a: **b</code></p>'],
    ['```\n**a: **b\n```', '<pre><code>**a: **b</code></pre>'],
    ['\\**a: **b', '<p>**a: **b</p>'],
    ['***a*** and **b**', '<p><em><strong>a</strong></em> and <strong>b</strong></p>'],
    ['**Warning: see **this** now', '<p>**Warning: see <strong>this</strong> now</p>'],
  ])('stays what CommonMark makes of it: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))
})

describe('addresses', () => {
  it.each([
    [
      '[the file](https://example.org/my file (1).pdf)',
      '<p><a href="https://example.org/my%20file%20(1).pdf">the file</a></p>',
    ],
    ['[call](tel:+47 22 33 44 55)', '<p><a href="tel:+47%2022%2033%2044%2055">call</a></p>'],
    ['![a](https://example.org/a b.png)', '<p><a href="https://example.org/a%20b.png">a</a></p>'],
  ])('with blanks: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))

  it.each([
    ['list[0](a, b)', '<p>list[0](a, b)</p>'],
    ['[a](https://a.example "A title")', '<p><a href="https://a.example/">a</a></p>'],
    ['[a](https://a.example (title))', '<p><a href="https://a.example/">a</a></p>'],
    ['[a](<https://a.example/b c>)', '<p><a href="https://a.example/b%20c">a</a></p>'],
    ['[a](https://a.example) and (b c)', '<p><a href="https://a.example/">a</a> and (b c)</p>'],
    ['`[a](https://a b)`', '<p><code>[a](https://a b)</code></p>'],
    ['[a](https://a\nb)', '<p>[a](<a href="https://a/">https://a</a><br>b)</p>'],
    ['[x](tel:*123#) [y](sandbox:/mnt/data/a.txt)', '<p>x y</p>'],
  ])('that stay: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))

  it('to a file of the reply downloads it; without the file, the text says so', () => {
    const files = [{ id: 'f', name: 'my budget.xlsx', type: 'text/plain', size: 1 }]
    const text = '[Budget](sandbox:/mnt/data/my budget.xlsx) [Other](sandbox:/mnt/data/b.txt)'
    const { container } = render(
      <PageProviders>
        <ReplyFilesContext value={files}>
          <Markdown text={text} isStreaming={false} />
        </ReplyFilesContext>
      </PageProviders>,
    )
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Budget'])
    expect(container.textContent).toContain('Other (not available here)')
  })
})

describe('bare addresses', () => {
  it.each([
    [
      '见 https://a.example/1，然后。https://b.example。',
      '<p>见 <a href="https://a.example/1">https://a.example/1</a>，然后。<a href="https://b.example/">https://b.example</a>。</p>',
    ],
    [
      'https://a.example/45（`fix`）见 www.b.example」',
      '<p><a href="https://a.example/45">https://a.example/45</a>（<code>fix</code>）见 <a href="http://www.b.example/">www.b.example</a>」</p>',
    ],
    [
      '**https://a.example/1**。做 **b**',
      '<p><strong><a href="https://a.example/1">https://a.example/1</a></strong>。做 <strong>b</strong></p>',
    ],
    [
      '| a |\n|-|\n| https://a.example， |',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><a href="https://a.example/">https://a.example</a>，</td></tr></tbody></table>',
    ],
  ])('end before full-width punctuation: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))

  it.each([
    ['中文https://a.example英文', '<p>中文<a href="https://a.example/">https://a.example</a>英文</p>'],
    ['www.a.example에서', '<p><a href="http://www.a.example/">www.a.example</a>에서</p>'],
    [
      '**https://a.example:8080を**',
      '<p><strong><a href="https://a.example:8080/">https://a.example:8080</a>を</strong></p>',
    ],
  ])(
    'end where a host goes on in letters without blanks: Prism-Shadow/penguin-harness#437: %j',
    (markdown, html) => expect(toHtml(markdown)).toBe(html),
  )

  it.each([
    [
      'https://a.example/wiki/北京',
      '<p><a href="https://a.example/wiki/%E5%8C%97%E4%BA%AC">https://a.example/wiki/北京</a></p>',
    ],
    ['https://例え.jp', '<p><a href="https://xn--r8jz45g.jp/">https://例え.jp</a></p>'],
    ['https://www.ab中.com', '<p><a href="https://www.xn--ab-ry2c.com/">https://www.ab中.com</a></p>'],
    ['`https://a.example英`', '<p><code>https://a.example英</code></p>'],
    ['[a](https://a.example英)', '<p><a href="https://a.xn--example-5c2t/">a</a></p>'],
    ['<https://a.example/a，b>', '<p><a href="https://a.example/a%EF%BC%8Cb">https://a.example/a，b</a></p>'],
    ['[a](https://a.example/a，b)', '<p><a href="https://a.example/a%EF%BC%8Cb">a</a></p>'],
    ['[a][1]\n\n[1]: https://a.example/a，b', '<p><a href="https://a.example/a%EF%BC%8Cb">a</a></p>'],
    ['`https://a.example，b`', '<p><code>https://a.example，b</code></p>'],
    ['```\nhttps://a.example，b\n```', '<pre><code>https://a.example，b</code></pre>'],
    ['https://a.example, b.', '<p><a href="https://a.example/">https://a.example</a>, b.</p>'],
  ])('stay as they are: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))
})

describe('tags that mark text', () => {
  it.each([
    [
      'Press <kbd>Ctrl</kbd>+<kbd>C</kbd>, <u>not</u> <mark>this</mark> <ins>new</ins> <small>(so)</small>',
      '<p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd>, <u>not</u> <mark>this</mark> <ins>new</ins> <small>(so)</small></p>',
    ],
    [
      '<b>a</b> <i>b</i> <s>c</s> <del>d</del> <var>e</var> <samp>f</samp> <q>g</q>',
      '<p><strong>a</strong> <em>b</em> <del>c</del> <del>d</del> <em>e</em> <code>f</code> “g”</p>',
    ],
    ['H<sub>2</sub>O and mc<sup>2</sup>', '<p>H<sub>2</sub>O and mc<sup>2</sup></p>'],
    ['- **x<SUP>*n*</SUP>**', '<ul><li><strong>x<sup><em>n</em></sup></strong></li></ul>'],
    ['<kbd>**Ctrl**+`C`</kbd>', '<p><kbd><strong>Ctrl</strong>+<code>C</code></kbd></p>'],
    ['x<sup>a<sub>1</sub></sup>', '<p>x<sup>a<sub>1</sub></sup></p>'],
    ['<u>a <i>b</u>', '<p><u>a &lt;i&gt;b</u></p>'],
    [
      '| <kbd>F1</kbd> |\n|-|\n| 10<sup>3</sup> |',
      '<table><thead><tr><th><kbd>F1</kbd></th></tr></thead><tbody><tr><td>10<sup>3</sup></td></tr></tbody></table>',
    ],
    ['<abbr>UI</abbr> <abbr title="HyperText">HTML</abbr>', '<p>UI HTML (HyperText)</p>'],
    ['<ruby>漢<rp>(</rp><rt>かん</rt></ruby>字', '<p><ruby>漢<rp>(</rp><rt>かん</rt></ruby>字</p>'],
  ])('%j', (markdown, html) => expect(toHtml(markdown)).toBe(html))

  it.each([
    ['`x<kbd>2</kbd>`', '<p><code>x&lt;kbd&gt;2&lt;/kbd&gt;</code></p>'],
    ['```html\n<b>a</b>\n```', '<pre><code>&lt;b&gt;a&lt;/b&gt;</code></pre>'],
    ['\\<b>a</b>', '<p>&lt;b&gt;a&lt;/b&gt;</p>'],
    ['x<sup>2', '<p>x&lt;sup&gt;2</p>'],
    ['</u>x<u>', '<p>&lt;/u&gt;x&lt;u&gt;</p>'],
    ['<mark onclick="a()">2</mark>', '<p>&lt;mark onclick="a()"&gt;2&lt;/mark&gt;</p>'],
    ['<u style="color:red">2</u>', '<p>&lt;u style="color:red"&gt;2&lt;/u&gt;</p>'],
    ['<abbr title="a" onclick="b">c</abbr>', '<p>&lt;abbr title="a" onclick="b"&gt;c&lt;/abbr&gt;</p>'],
    ['x<sup>**2</sup>**', '<p>x&lt;sup&gt;<strong>2&lt;/sup&gt;</strong></p>'],
    ['<sub>a</sup>', '<p>&lt;sub&gt;a&lt;/sup&gt;</p>'],
    ['Put <b> and </b> around it', '<p>Put &lt;b&gt; and &lt;/b&gt; around it</p>'],
    ['an empty <b></b>', '<p>an empty &lt;b&gt;&lt;/b&gt;</p>'],
    [
      '<big>a</big> <a>b</a> List<String>',
      '<p>&lt;big&gt;a&lt;/big&gt; &lt;a&gt;b&lt;/a&gt; List&lt;String&gt;</p>',
    ],
    ['<script>a</script>', '<p>&lt;script&gt;a&lt;/script&gt;</p>'],
    ['<u>\n\na</u>', '<p>&lt;u&gt;</p><p>a&lt;/u&gt;</p>'],
  ])('text stays: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))
})

describe('highlighted text', () => {
  it.each([
    ['so ==**very** important==!', '<p>so <mark><strong>very</strong> important</mark>!</p>'],
    ['==a== and (==b==)', '<p><mark>a</mark> and (<mark>b</mark>)</p>'],
    ['> ==a\n> b==', '<blockquote><p><mark>a<br>b</mark></p></blockquote>'],
    ['这是==重点==内容', '<p>这是<mark>重点</mark>内容</p>'],
  ])('%j', (markdown, html) => expect(toHtml(markdown)).toBe(html))

  it.each([
    ['x == 1 and y == 2', '<p>x == 1 and y == 2</p>'],
    ['x==1 and y==2', '<p>x==1 and y==2</p>'],
    ['a === b, c ==== d', '<p>a === b, c ==== d</p>'],
    ['== Title ==', '<p>== Title ==</p>'],
    ['`==a==`', '<p><code>==a==</code></p>'],
    ['\\==a==', '<p>==a==</p>'],
    ['==a', '<p>==a</p>'],
    ['a\n==', '<h1>a</h1>'],
  ])('none: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))
})

describe('bars in code in a table', () => {
  const rows = (markdown: string) => {
    const { container } = render(<Markdown text={markdown} isStreaming={false} />)
    return [...container.querySelectorAll('tr')].map((row) =>
      [...row.cells].map(({ textContent }) => textContent),
    )
  }
  it.each<[string, string[][]]>([
    [
      '| a | b |\n|---|---|\n| `a|b` | c |',
      [
        ['a', 'b'],
        ['a|b', 'c'],
      ],
    ],
    [
      '| `x|y` | b |\n|-|-|\n| c | d |',
      [
        ['x|y', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a | b\n-|-\n``a`|b`` | `c || d`',
      [
        ['a', 'b'],
        ['a`|b', 'c || d'],
      ],
    ],
    [
      '> | a | b |\n> |-|-|\n> | `a|b` | c |',
      [
        ['a', 'b'],
        ['a|b', 'c'],
      ],
    ],
    [
      '- | a | b |\n  |-|-|\n  | `a|b` | c |',
      [
        ['a', 'b'],
        ['a|b', 'c'],
      ],
    ],
    [
      '| a | b |\n|-|-|\n| `C:\\` | `a|b` |',
      [
        ['a', 'b'],
        ['C:\\', 'a|b'],
      ],
    ],
  ])('do not end a cell: %j', (markdown, cells) => expect(rows(markdown)).toEqual(cells))

  it.each<[string, string[][]]>([
    [
      '| a | b |\n|-|-|\n| `a\\|b` | c |',
      [
        ['a', 'b'],
        ['a|b', 'c'],
      ],
    ],
    [
      '| a | b | c |\n|-|-|-|\n| ` | x | ` |',
      [
        ['a', 'b', 'c'],
        ['`', 'x', '`'],
      ],
    ],
    [
      '| a | b |\n|-|-|\n| c | d | e |',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      '| a | b |\n|-|-|\n| `c | d | e |',
      [
        ['a', 'b'],
        ['`c', 'd'],
      ],
    ],
  ])('are read as GitHub reads them: %j', (markdown, cells) => expect(rows(markdown)).toEqual(cells))

  it('stay bars elsewhere', () =>
    expect(toHtml('`a|b`\n\n```\n| a |\n|-|\n| `a|b` |\n```\n\n\uE004')).toBe(
      '<p><code>a|b</code></p><pre><code>| a |\n|-|\n| `a|b` |</code></pre><p>\uE004</p>',
    ))
})

describe('numbers of items', () => {
  it.each([
    ['2. b\n4. d\n5. e', '<ol start="2"><li>b</li><li value="4">d</li><li>e</li></ol>'],
    ['- x\n  1. a\n  9) b', '<ul><li>x<ol><li>a</li></ol><ol start="9"><li>b</li></ol></li></ul>'],
    ['> 1. a\n> 10. b', '<blockquote><ol><li>a</li><li value="10">b</li></ol></blockquote>'],
  ])('are those that are written: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))

  it.each([
    ['1. a\n1. b\n1. c', '<ol><li>a</li><li>b</li><li>c</li></ol>'],
    ['1. a\n2. b\n2. c\n3. d', '<ol><li>a</li><li>b</li><li>c</li><li>d</li></ol>'],
    ['5. a\n1. b', '<ol start="5"><li>a</li><li>b</li></ol>'],
  ])('are counted where they do not grow: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))
})

describe('alerts', () => {
  it.each([
    [
      '> [!NOTE]\n> Mind the step.',
      '<blockquote><p><strong>Note</strong></p><p>Mind the step.</p></blockquote>',
    ],
    [
      '> [!tip] Use **x**',
      '<blockquote><p><strong>Tip</strong></p><p>Use <strong>x</strong></p></blockquote>',
    ],
    ['> [!WARNING]\n>\n> - a', '<blockquote><p><strong>Warning</strong></p><ul><li>a</li></ul></blockquote>'],
    ['> [!CAUTION]', '<blockquote><p><strong>Caution</strong></p></blockquote>'],
  ])('%j', (markdown, html) => expect(toHtml(markdown)).toBe(html))

  it.each([
    ['> [!OTHER]\n> a', '<blockquote><p>[!OTHER]<br>a</p></blockquote>'],
    ['> a [!NOTE]', '<blockquote><p>a [!NOTE]</p></blockquote>'],
    ['[!NOTE]\na', '<p>[!NOTE]<br>a</p>'],
    ['> `[!NOTE]`', '<blockquote><p><code>[!NOTE]</code></p></blockquote>'],
  ])('no alert: %j', (markdown, html) => expect(toHtml(markdown)).toBe(html))
})

describe('hidden text', () => {
  const summaries = (markdown: string) => {
    const { container } = render(<Markdown text={markdown} isStreaming={false} />)
    return [...container.querySelectorAll('details')].map(({ textContent }) => textContent)
  }
  it.each([
    [
      '<details>\n<summary>More **now** <b>!</b></summary>\n\nhidden **text**\n\n</details>\n\nafter',
      ['More now !hidden text'],
    ],
    ['<details><summary>S</summary>\nText **b**\n</details>\nafter', ['SText b']],
    // a letter that is longer in small letters
    ['<details><summary>İstanbul</summary>Text</details>', ['İstanbulText']],
    ['- a\n\n  <details>\n\n  in\n\n  </details>\n- b', ['Detailsin']],
    ['<details open>\n<summary>Never closed</summary>\n\na\n\nb', ['Never closedab']],
    [
      '<details>\n\na\n\n<details>\n\nb\n\n</details>\n\nc\n\n</details>\n\nd',
      ['DetailsaDetailsbc', 'Detailsb'],
    ],
  ])('%j', (markdown, texts) => expect(summaries(markdown)).toEqual(texts))

  it.each([
    '`<details>`',
    '```html\n<details>\n```',
    '<details onclick="x">\n\na',
    'a <details> b',
    '</summary>',
  ])('nothing is hidden in %j', (markdown) => expect(summaries(markdown)).toEqual([]))

  it('text stands in its own one, however many are nested', () => {
    const markdown = `${'<details>\n\nin\n\n'.repeat(9)}${'</details>\n\n'.repeat(2)}seventh\n\n${'</details>\n\n'.repeat(7)}after`
    const texts = summaries(markdown)
    expect(texts[6]).toContain('seventh')
    expect(texts[0]).not.toContain('after')
  })
})

it('a footnote’s number leads to it, and back, in each reply', () => {
  const scrolled: string[] = []
  Element.prototype.scrollIntoView = vi.fn<(this: Element) => void>(function (this: Element) {
    scrolled.push(this.textContent)
  })
  const text = 'Text[^1]\n\n[^1]: The note.'
  render(
    <>
      <Markdown text={text} isStreaming={false} />
      <Markdown text={text} isStreaming={false} />
    </>,
  )
  const numbers = screen.getAllByRole('link', { name: '1' })
  expect(new Set(numbers.map((link) => link.getAttribute('href'))).size).toBe(2)
  fireEvent.click(numbers[1] as Element)
  expect(document.activeElement?.textContent).toBe('The note. ↩')
  fireEvent.click(screen.getAllByRole('link', { name: 'Back to the text' })[1] as Element)
  expect(scrolled).toEqual(['The note. ↩', '1'])
  expect(document.querySelectorAll('[id]:is(li, a)').length).toBe(4)
})

it.each([
  '<details>\n',
  '<details>\n\n',
  '</details>\n\n',
  '> [!NOTE]\n\n',
  '[^1]',
  '  - a\n1. b\n',
  '**a: **b ',
  '[a](b:c d) ',
  'https://a.b，',
  'http://',
  'a<sub>',
  '<sub>a</sub>',
  '<u><b>',
  '==a== ',
  '| `a|b` ',
  '| a |\n|-|\n| `a|b` |\n',
  '1. a\n9. b\n',
])('200,000 characters of %j are shown in time', { tags: 'long' }, async (unit) => {
  // in a task of its own: otherwise it is plain text until the texts before are parsed
  await new Promise((resolve) => setTimeout(resolve))
  const text = unit.repeat(Math.ceil(200_000 / unit.length))
  const { container } = limitCpuTime(() => render(<Markdown text={text} isStreaming={false} />), 20_000)
  expect(container.querySelector('[data-reply-text]')).not.toBeNull()
})
