import { expect, it } from 'vitest'
import { formatTable } from './format-table.ts'

it('a copied table has no formula, and one line a row', () => {
  expect(
    formatTable(
      ['name', 'n'],
      [
        ['=HYPERLINK("x")', -3],
        ['a\tb\nc', null],
      ],
    ),
  ).toEqual({
    text: 'name\tn\n\'=HYPERLINK("x")\t-3\na b c\t',
    html: "<table><thead><tr><th>name</th><th>n</th></tr></thead><tbody><tr><td>'=HYPERLINK(&quot;x&quot;)</td><td>-3</td></tr><tr><td>a\tb\nc</td><td></td></tr></tbody></table>",
  })
})
