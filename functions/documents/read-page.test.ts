import { expect, it } from 'vitest'
import { readMainText, readPage } from './read-page.ts'

const address = 'https://shop.example/a/terms.html?x=1'
const words =
  'Terms are long and say what holds for shops, customers and everybody else who reads them. '.repeat(8)

it('gives the main text below its title, without menus and banners, with tables and whole addresses', () => {
  const html = `<!doctype html><html><head><title>New  terms</title><style>p{}</style></head><body>
    <header><a href="/">Shop</a></header><nav><a href="/careers">Careers</a></nav>
    <div class="cookie-banner">We use cookies <button>Accept all</button></div>
    <main><h1>New terms</h1><p>${words}</p><table><tr><th>Item</th><th>Fee</th></tr><tr><td>Crafts</td><td>13.9 %</td></tr></table>
    <p>See <a href="../full.html?for=me&amp;v=2#top">all terms</a>, <a href="javascript:alert(1)">run</a>.</p></main>
    <footer>Imprint</footer><script>document.write('gone')</script></body></html>`
  const text = readMainText(html, address)
  expect(text.startsWith('# New terms\n\n')).toBe(true)
  expect(text).toContain('Crafts\t13.9 %')
  expect(text).toContain('(https://shop.example/full.html?for=me&v=2#top)')
  expect(text).not.toMatch(/Careers|Accept all|Imprint|gone|javascript|Shop\b/)
})

it.each([
  [
    'a list, which is no article',
    `<ul>${'<li><a href="/t">Topic</a> 3 replies</li>'.repeat(20)}</ul>`,
    'Topic (https://shop.example/t) 3 replies',
  ],
  [
    'links below the address that the page names',
    '<base href="https://cdn.example/b/"><p><a href="c">C</a></p>',
    'C (https://cdn.example/b/c)',
  ],
  ['a part of a page', '<p>Only a part</p>', 'Only a part'],
  ['a page that begins no body', '<html><title>T</title><h2>Details</h2><p>Free', '# T\n\n## Details\nFree'],
  ['an unclosed page', '<html><body><p>Never <b>closed', 'Never closed'],
])('reads %s', (_, html, expected) => {
  expect(readMainText(html, address)).toContain(expected)
})

it('takes the whole text of a page that is too large for the library', () => {
  const html = `<html><title>Data</title><body><nav>Menu</nav>${'<i>x</i>'.repeat(20_001)}</body></html>`
  expect(readMainText(html, address)).toMatch(/Menu[^]*xxx/)
})

it('a page that needs scripts has its title alone', () => {
  expect(
    readMainText(
      '<html><head><title>App</title></head><body><div id="root"></div><script src="/app.js"></script><noscript>Turn on JavaScript</noscript></body></html>',
      address,
    ),
  ).toBe('# App')
})

it.each([
  ['shift_jis', '<meta charset="shift_jis"><title>T</title><p>', [0x93, 0xfa, 0x96, 0x7b], '日本'],
  [
    'windows-1256',
    '<meta charset="windows-1256"><title>T</title><p>',
    [0xe3, 0xd1, 0xcd, 0xc8, 0xc7],
    'مرحبا',
  ],
])('reads %s', async (_, html, bytes, expected) => {
  const { text } = await readPage(
    Buffer.concat([Buffer.from(html), Buffer.from(bytes), Buffer.from('</p>')]),
    address,
  )
  expect(text).toContain(expected)
})
