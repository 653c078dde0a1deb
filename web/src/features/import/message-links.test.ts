import { expect, it } from 'vitest'
import { formatLink, toSource } from './message-links.ts'

it.each([
  [{ url: 'https://a.example', title: 'Ferries | Harbour' }, '[Ferries Harbour](https://a.example)'],
  [{ url: 'https://a.example', title: '~~Old~~ [new] *page*' }, '[Old new page](https://a.example)'],
  [{ url: 'https://a.example/a_(b)|c' }, '[a.example](https://a.example/a_%28b%29%7cc)'],
  [{ url: 'https://a.example', title: '***' }, '[a.example](https://a.example)'],
])('a link to %j breaks neither a cell of a table nor the text around it', (source, link) => {
  expect(formatLink(source)).toBe(link)
})

it.each([
  ['https://a.example', 'A\n page ', { url: 'https://a.example', title: 'A page' }],
  ['https://a.example', ' ', { url: 'https://a.example' }],
  ['javascript:alert(1)', 'A', undefined],
  ['https://a b', 'A', undefined],
  ['http://[', 'A', undefined],
  [`https://${'a'.repeat(2_000)}`, 'A', undefined],
])('the page %j, “%s”, is %j', (url, title, source) => {
  expect(toSource(url, title)).toEqual(source)
})
