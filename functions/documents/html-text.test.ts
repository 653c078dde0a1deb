import { expect, it } from 'vitest'
import { limitCpuTimeAsync } from '../../test/support/fuzz.ts'
import { OmissionCounter } from './extracted-text.ts'
import { readHtmlText } from './html-text.ts'

it.each([
  [
    'words and blocks',
    '<p>Hello  <b>you</b>,\n how <i>are</i> you?</p><div>Fine.<br>Thanks &amp; bye</div>',
    'Hello you, how are you?\nFine.\nThanks & bye',
  ],
  [
    'no scripts and styles',
    '<head><title>t</title></head><style>p{}</style><p>x</p><script>"<p>y</p>"</script>',
    'x',
  ],
  [
    'a table with an empty cell',
    '<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td>1</td><td></td><td>3</td></tr></table>',
    'A\tB\tC\n1\t\t3',
  ],
  [
    'merged cells as far as their part of the table reaches',
    '<table><thead><tr><th rowspan=3>A<th>B</thead><tbody><tr><td rowspan=0>x<td>1</tr><tr><td>2</tbody><tr><td rowspan=2>y<td>3</tr><tr><td>4</table>',
    'A\tB\nx\t1\n\t2\ny\t3\n\t4',
  ],
  [
    'a table without end tags',
    '<table><thead><tr><th>A<th>B<tbody><tr><td>1<td><b>2</b> <a href="https://a.example">x<tfoot><tr><td>f<td>g</table>end',
    'A\tB\n1\t2 x (https://a.example)\nf\tg\nend',
  ],
  [
    'a table without end tags within a cell',
    '<table><tr><th>A<th>B<tr><td><table><tr><td>1<td>2<tbody><tr><td>3<td>4</table><td>5</table>',
    'A\tB\n1 2<br>3 4\t5',
  ],
  [
    'a table for layout',
    '<table><tr><td><p>one</p><p>two</p></td><td>three</td></tr></table>',
    'one\ntwo\nthree',
  ],
  [
    'a table within one for layout',
    '<table><tr><td><table><tr><td>A</td><td>B</td></tr><tr><td>1</td><td>2</td></tr></table></td></tr></table>',
    'A\tB\n1\t2',
  ],
  ['a list', '<ul><li>one<li>two</ul>end', '- one\n- two\nend'],
  ['cells that are not closed', '<table><tr><td>1<td>2</table>end', '1\t2\nend'],
  ['cells without a row', '<td>a</td><td>b', 'ab'],
  ['tags that are not closed', '<div><p>a <b>b', 'a b'],
  ['spaces between words of several elements once', 'a <b> b</b><i> c </i> d', 'a b c d'],
  ['lines, and one blank one at most', 'a<br><br>b<br><br><br><br>c', 'a\n\nb\n\nc'],
  ['headings, rules and lines without white space around', 'a<h1> b </h1>c<hr>d <br> e', 'a\n# b\nc\nd\ne'],
  [
    'a heading of several lines in one',
    '<h2>Terms<br><br>and <br>conditions</h2>',
    '## Terms and conditions',
  ],
  ['nothing of a drawing or a template', 'a<svg><text>b</text></svg><template>c</template>d', 'ad'],
  ['nothing that is for other browsers', '<noscript>a<style>b</style>c</noscript>d', 'd'],
  [
    'a title that is not closed, which is the rest of the page',
    '<title>The deposit is <b>350</b>',
    'The deposit is <b>350</b>',
  ],
  [
    'no definitions of its document type',
    '<?xml version="1.0"?><!DOCTYPE html [ <!ENTITY a "b"> ]><p>x',
    'x',
  ],
  ['text after a head that is not closed', '<head><title>t</title></head></head></script>x', 'x'],
  [
    'no empty rows',
    '<table><tr></tr><tr><td> </td><td></td></tr><tr><td>1</td><td>2</td></tr></table>',
    '1\t2',
  ],
  [
    'rows whose first and last cells are empty',
    '<table><tr><td></td><td>1</td><td></td></tr></table>',
    '\t1\t',
  ],
  [
    'cells of several lines one after the other, without empty ones',
    'x<table><tr><td>a<br>b</td><td></td><td>c</td></tr></table>y',
    'x\na\nb\nc\ny',
  ],
  [
    'formulas in one line',
    '<p>r <math><semantics><mrow><mi>r</mi><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac><msup><mi>x</mi><mn>2</mn></msup><mo>(</mo><mo>−</mo><mn>5</mn><mo>)</mo></mrow><annotation>\\frac</annotation></semantics></math> a year<br>next</p>',
    'r r = (a + b)/2 x^2(−5) a year\nnext',
  ],
  [
    'terms above each other that are no fraction',
    '<math><mrow><mo>(</mo><mfrac linethickness="0pt"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo><mfrac linethickness="0.5pt"><mn>1</mn><mn>2</mn></mfrac></mrow></math>',
    '((n atop k))1/2',
  ],
  [
    'sums, roots and accents of formulas',
    '<math><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><msqrt><mi>y</mi></msqrt><mroot><mi>z</mi><mn>3</mn></mroot><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup><mover><mi>p</mi><mo>^</mo></mover></math>',
    '∑_i^n √(y)root 3 of (z)x_1^2p̂',
  ],
  [
    'the rows of a matrix, what is in parentheses, and nothing of what nobody sees',
    '<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable><mspace/><mfenced open="[" close="]" separators=";"><mi>a</mi><mi>b</mi></mfenced><mphantom><mi>q</mi></mphantom></math>',
    '[1, 0; 0, 1] [a;b]',
  ],
  ['parentheses without a name', '<math><mfenced><mi>a</mi><mi>b</mi></mfenced></math>', '(a,b)'],
  [
    'what follows closed elements of XHTML',
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><script/><p>a</p><div/><a id="x"/>b</body></html>',
    'a\nb',
  ],
  [
    'the letters and numbers of lists',
    '<ol type=a><li>x<li value=4>y</ol><ol style="list-style-type: upper-roman" start=2><li>z</ol><ol reversed start=3><li>c<li>b</ol><ol reversed><li>d</ol>',
    'a. x\nd. y\nII. z\n3. c\n2. b\n- d',
  ],
  [
    'the mark of a note once',
    'a<a href="#fn1" role="doc-noteref"><sup>1</sup></a> b<sup><a role="doc-noteref" href="#fn2">2</a></sup>',
    'a^1 b^2',
  ],
  [
    'a table of data with a table in a cell',
    '<table><tr><th>Name</th><th>Plan</th><th>Detail</th></tr><tr><td>North</td><td>120</td><td><table><tr><td>in</td><td>ner</td></tr></table></td></tr><tr><td>South<br>East</td><td>75</td><td></td></tr></table>',
    'Name\tPlan\tDetail\nNorth\t120\tin ner\nSouth<br>East\t75\t',
  ],
  ['a row after text', 'x<tr><td>1</td><td>2</td></tr>y', 'x\n1\t2\ny'],
  ['tables that are nested more deeply than anyone can see', `${'<table><tr><td>'.repeat(60)}x`, 'x'],
  [
    'a table within 38 others',
    `${'<table><tr><td>'.repeat(38)}<table><tr><td>A</td><td>B</td></tr><tr><td>1</td><td>2</td></tr></table>`,
    'A\tB\n1\t2',
  ],
  ['no blank lines around', '<br><br>a<br><br>', 'a'],
  [
    'raised, lowered and struck text',
    '<p>10<sup>5</sup> H<sub>2</sub>O <s>50</s> <span style="text-decoration: line-through">60</span> 7<span style="vertical-align:super">a b</span></p>',
    '10^5 H_2O ~~50~~ ~~60~~ 7^(a b)',
  ],
  [
    'addresses behind links',
    '<a href="https://a.example/x">here</a>, <a href="#b">there</a>, <a href="mailto:a@b.example">a@b.example</a>, <a href="javascript:x()">no</a>',
    'here (https://a.example/x), there, a@b.example, no',
  ],
  ['alternative texts', 'see<img alt="the exit" src="cid:x">now', 'see [picture: the exit] now'],
  ['numbered and nested lists', '<ol start=3><li><p>a</p><ul><li>b</ul><li>c</ol>', '3. a\n  - b\n4. c'],
  [
    'a table whose cells have several lines',
    '<table><tr><th>A<th>B</tr><tr><td>1<br>2<td></tr></table>',
    'A\tB\n1<br>2\t',
  ],
  [
    'merged cells',
    '<table><tr><td colspan=2>A</td><td>B</td></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    'A\t\tB\n1\t2\t3',
  ],
  [
    'fields of a form that stand side by side',
    'Name:<input value="Ann"><input value="Berg"><textarea>Rome 5</textarea><input type=radio checked>yes<select><option selected>A</select>',
    'Name: Ann Berg Rome 5 [x] yes\n[x] A',
  ],
  [
    'fields of forms',
    'Name <input value="Ann"> <input type=checkbox checked>yes <input type=hidden value=x>',
    'Name Ann [x] yes',
  ],
  ['code as it stands', '<pre>a\n  b</pre>', 'a\n  b'],
  ['readings above characters', '<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>', '漢(かん)'],
  [
    'cells with a line end, in a table without headers',
    '<table><tr><td>First line<br>Second line</td><td>Other</td></tr><tr><td>x</td><td>y<br/>z</td></tr></table>',
    'First line<br>Second line\tOther\nx\ty<br>z',
  ],
  [
    'a table that a border marks as one of data',
    '<table border=1><tr><td><p>one</p><p>two</p></td><td>three</td></tr></table><table border=0><tr><td><p>one</p><p>two</p></td><td>three</td></tr></table>',
    'one<br>two\tthree\none\ntwo\nthree',
  ],
  [
    'a table that a caption, a head or a scope marks as one of data',
    '<table><caption>T</caption><tr><td>1<p>2</td><td>3</td></tr></table><table><thead><tr><td>1<p>2</td><td>3</td></tr></thead></table><table><tr><td scope=row>1<p>2</td><td>3</td></tr></table>',
    'T\n1<br>2\t3\n1<br>2\t3\n1<br>2\t3',
  ],
  ['nothing', '', ''],
])('reads %s', (_, html, text) => {
  expect(readHtmlText(html)).toBe(text)
})

it.each(['<td>', '<', '&', ' ', '<script>', '<p>\n', '</td></tr>', '<br>', '<a "', '<!--'])(
  'takes linear time for many of %s',
  async (piece) => {
    const read = limitCpuTimeAsync(async () => readHtmlText(piece.repeat(100_000)), 2_000)
    await expect(read).resolves.toBeTypeOf('string')
  },
)

it('refuses a page that is nested without end', () => {
  expect(readHtmlText(`${'<b>'.repeat(2_000)}x`)).toBe('x')
  expect(readHtmlText(`${'<br><b></b>'.repeat(2_000)}x`)).toBe('x')
  expect(() => readHtmlText(`${'<b>'.repeat(2_001)}x`)).toThrow(
    expect.objectContaining({ problem: 'unreadable' }),
  )
  expect(() => readHtmlText('<table><tr><td>x'.repeat(100_000))).toThrow('nested too deeply')
})

it('counts what it leaves out', () => {
  const omissions = new OmissionCounter()
  const html =
    '<style>a</style><script>b</script><script type="application/json">{}</script><div style="display:none">c</div><img src=x><img src=y width=1><iframe></iframe><video></video>'
  expect(readHtmlText(html, { omissions, countsCode: true })).toBe('')
  const counts = Object.fromEntries(omissions.end().map(({ what, count }) => [what, count]))
  expect(counts).toEqual({ styles: 1, scripts: 1, hidden: 1, pictures: 1, embedded: 1, media: 1 })
})

it('counts a drawing with texts, and no icon', () => {
  const omissions = new OmissionCounter()
  const html =
    'a<svg><title>b</title><g><text>c</text></g><text>d</text></svg><svg><title>e</title></svg><p hidden><svg><text>f</text></svg></p>'
  expect(readHtmlText(html, { omissions })).toBe('a')
  expect(omissions.end()).toContainEqual({ what: 'pictures', count: 1 })
})

it.each([
  ['<p>Read this first.</p><!DOCTYPE html><p>Then this.', 'Read this first.\nThen this.'],
  ['<p>One.</p><!DOCTYPE html [<!ATTLIST p a CDATA "">]><p>Two.', 'One.\nTwo.'],
])('text in front of a document type stays: %s', (html, text) => {
  expect(readHtmlText(html)).toBe(text)
})
