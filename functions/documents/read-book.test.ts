import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { readBook } from './read-book.ts'

/** @param chapters the address in the package document, and the name of the file */
const book = (...chapters: (readonly [address: string, file: string])[]) =>
  zipSync({
    'META-INF/container.xml': strToU8('<container><rootfile full-path="OEBPS/a.opf"/></container>'),
    'OEBPS/a.opf': strToU8(
      `<package><manifest>${chapters.map(([address], index) => `<item id="c${index}" href="${address}" media-type="application/xhtml+xml"/>`).join('')}</manifest><spine>${chapters.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
    ),
    ...Object.fromEntries(
      chapters.map(([, file], index) => [
        `OEBPS/${file}`,
        strToU8(`<html><body>chapter ${index}</body></html>`),
      ]),
    ),
  })

it.each<[what: string, address: string, file: string]>([
  ['escaped', 'Siglo%201.html', 'Siglo 1.html'],
  ['with an escaped sign of addresses', 'Text/../a%26b%23c.xhtml', 'a&b#c.xhtml'],
  ['with an accent of its own', 'i%CC%82n.xhtml', 'în.xhtml'],
  ['with a letter that has its accent', '%C3%AEn.xhtml', 'i\u0302n.xhtml'],
  ['with a per cent sign', '100%.xhtml', '100%.xhtml'],
])('finds a chapter by its address: %s', async (_, address, file) => {
  const { text, omitted } = await readBook(book(['first.xhtml', 'first.xhtml'], [address, file]))
  expect(omitted).toBeUndefined()
  expect(text).toBe('chapter 0\n\nchapter 1')
})
