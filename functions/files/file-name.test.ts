import { expect, it } from 'vitest'
import { disposition, sanitizeFileName } from './file-name.ts'

it.each([
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ann\\secret.docx', 'secret.docx'],
  ['a\u0000b\u001f\u007fc.txt', 'abc.txt'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['zero\u200bwidth\u2066.txt', 'zerowidth.txt'],
  ['  two   spaces .txt ', 'two spaces .txt'],
  ['..', 'file'],
  ['folder/', 'file'],
  ['\ud800.txt', 'txt'],
  ['Ü'.normalize('NFD'), 'Ü'],
  ['👩\u200d👩\u200d👧 plan.txt', '👩\u200d👩\u200d👧 plan.txt'],
  ['می\u200cخواهم.txt', 'می\u200cخواهم.txt'],
  ['pay\u200dpal\u200c.txt', 'paypal.txt'],
])('removes what could mislead from a name: %j', (name, shown) => {
  expect(sanitizeFileName(name)).toBe(shown)
})

it('cuts long names and keeps their extension', () => {
  const name = sanitizeFileName(`${'😀'.repeat(300)}.docx`)
  expect([Array.from(name).length, name.endsWith('😀.docx')]).toEqual([200, true])
  expect(sanitizeFileName(`a.${'x'.repeat(400)}`)).toHaveLength(200)
  // a joiner has nothing to join behind the cut
  expect(sanitizeFileName(`${'a'.repeat(198)}👩\u200d👩`)).toBe(`${'a'.repeat(198)}👩`)
})

it('builds a Latin-1 Content-Disposition with the whole name', () => {
  const header = disposition('attachment', 'a"b\\c €(1)\'s.txt')
  expect(header).toBe(
    `attachment; filename="a_b_c _(1)'s.txt"; filename*=UTF-8''a%22b%5Cc%20%E2%82%AC%281%29%27s.txt`,
  )
})
