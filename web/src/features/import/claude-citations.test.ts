import { expect, it } from 'vitest'
import { addCitations } from './claude-citations.ts'

const url = 'https://a.example'
const link = `([a.example](${url}))`

it.each<[text: string, endIndex: unknown, linked: string]>([
  ['Rome is old. It is big.', 12, `Rome is old. ${link} It is big.`],
  ['Hello world again', 8, `Hello world ${link} again`],
  ['日本語のテキスト。次の文です。', 8, `日本語のテキスト ${link}。次の文です。`],
  ['日本語のテキスト。次の文です。', 9, `日本語のテキスト。 ${link}次の文です。`],
  ['สวัสดีชาวโลก', 6, `สวัสดี ${link}ชาวโลก`],
  // in the middle of a pair of surrogates
  ['😀 hello', 1, `😀 ${link} hello`],
  [`${'x'.repeat(20)}${'y'.repeat(60)}`, 20, `${'x'.repeat(20)} ${link}${'y'.repeat(60)}`],
  ['Hello', undefined, `Hello ${link}`],
  ['Hello', -1, `Hello ${link}`],
  ['Hello', 1.5, `Hello ${link}`],
  ['Hello', 99, `Hello ${link}`],
  ['', 0, ` ${link}`],
])('the link of a citation of %j to %j stands behind its passage', (text, end_index, linked) => {
  expect(addCitations(text, [{ url, end_index }], [])).toBe(linked)
})

it('pages that are cited twice are one source, and those without an address of the web none', () => {
  const sources: { url: string }[] = []
  const citations = [{ url }, { details: { url } }, { url: 'javascript:alert(1)' }, {}]
  expect(addCitations('Hello', citations, sources)).toBe(`Hello ${link}`)
  expect(sources).toEqual([{ url }])
})
