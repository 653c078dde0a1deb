import { expect, it } from 'vitest'
import { findHiddenTarget, isSafeLink } from './markdown-safety.ts'

it.each([
  ['https://a.example/x', true],
  ['HTTP://a.example', true],
  ['mailto:ann@example.org', true],
  ['mailto:ann@example.org?subject=Lunch', true],
  ['mailto:ann@example.org?Subject=Lunch&bcc=mallory@evil.example', false],
  ['mailto:ann@example.org?body=all%20my%20secrets', false],
  ['mailto:ann@example.org?%62cc=mallory@evil.example', false],
  ['mailto:ann@example.org,mallory@evil.example', false],
  ['mailto:ann@example.org%2Cmallory@evil.example', false],
  ['mailto:ann@example.org;mallory@evil.example', false],
  ['mailto:ann@example.org%3Bmallory@evil.example', false],
  ['mailto:?to=mallory@evil.example', false],
  ['javascript:alert(1)', false],
  ['//evil.example', false],
  [undefined, false],
])('%s may be a link: %s', (href, isSafe) => {
  expect(isSafeLink(href)).toBe(isSafe)
})

it.each([
  ['https://evil.example/?d=words', 'Open your report', 'evil.example'],
  ['https://evil.example/?d=words', 'https://bank.example', 'evil.example'],
  ['https://evil.example/', 'evil.example.bank.example', 'evil.example'],
  ['https://evil.example/', 'not-evil.example', 'evil.example'],
  ['https://a.example:8443/', 'a.example', 'a.example:8443'],
  ['https://a.example/x', 'https://A.example/x', undefined],
  ['https://a.example/x', 'See a.example (in English)', undefined],
  ['https://b\u00fccher.example/', 'b\u00fccher.example', 'xn--bcher-kva.example'],
  ['mailto:ann@example.org', 'Write to Ann', 'ann@example.org'],
  ['mailto:', 'Write', undefined],
  ['mailto:ann@example.org', 'ann@example.org', undefined],
  // no UTF-8: the address stays as it is written
  ['mailto:ann%ff@example.org', 'Write to Ann', 'ann%ff@example.org'],
])('a link to %s with the text %j shows %s', (href, text, shown) => {
  expect(findHiddenTarget(href, text)).toBe(shown)
})
