import { expect, it } from 'vitest'
import { limitCpuTimeAsync } from '../../test/support/fuzz.ts'
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
  expect(() => readHtmlText('<table><tr><td>x'.repeat(100_000))).toThrow('nested too deeply')
})
