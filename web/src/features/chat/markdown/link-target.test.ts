import { expect, it } from 'vitest'
import { findHiddenTarget, findOtherTarget } from './link-target.ts'

it.each([
  ['https://evil.example/?d=words', 'Open your report', 'evil.example'],
  ['https://evil.example/?d=words', 'https://bank.example', 'evil.example'],
  ['https://evil.example/', 'evil.example.bank.example', 'evil.example'],
  ['https://evil.example/', 'not-evil.example', 'evil.example'],
  ['https://a.example:8443/', 'a.example', 'a.example:8443'],
  ['https://evil.example/', 'https://www.bank.example/?from=evil.example', 'evil.example'],
  ['https://evil.example/', 'https://bank.example/evil.example', 'evil.example'],
  ['https://evil.example/', 'bank.example#evil.example', 'evil.example'],
  ['https://bank.example@evil.example/', 'https://bank.example@evil.example/', 'evil.example'],
  ['https://evil.example/', 'https://bank.example (evil.example)', 'evil.example'],
  ['https://evil.example/', 'evil.example,bank.example', 'evil.example'],
  ['https://evil.example/', 'bank.example:https://evil.example', 'evil.example'],
  ['https://evil.example/', 'Bank\u3000bank.example\u00a0evil.example', 'evil.example'],
  ['https://evil.example/', 'evil.example bank\uff0eexample', 'evil.example'],
  ['https://evil.example/', 'evil.example bank\u200b.example', 'evil.example'],
  ['https://evil.example/', 'evil.example 198.51.100.7', 'evil.example'],
  ['https://evil.example/', 'https:\\\\bank.example\\evil.example', 'evil.example'],
  ['mailto:mallory@evil.example', 'help@bank.example?cc=mallory@evil.example', 'mallory@evil.example'],
  ['https://a.example/x', 'https://A.example/x', undefined],
  ['https://a.example/?next=https://b.example', 'https://a.example/?next=https://b.example', undefined],
  ['https://a.example/read.me', '(a.example/read.me)', undefined],
  ['https://a.example/', '“https://a.example”.', undefined],
  ['https://a.example/', 'Version 1.2 at a.example', undefined],
  ['http://localhost:3000/', 'http://localhost:3000', undefined],
  ['http://127.0.0.1:3000/', '127.0.0.1:3000', undefined],
  ['http://[::1]:3000/', 'http://[::1]:3000/', undefined],
  ['https://a.example/x', 'See a.example (in English)', undefined],
  ['https://b\u00fccher.example/', 'b\u00fccher.example', 'xn--bcher-kva.example'],
  ['mailto:ann@example.org', 'Write to Ann', 'ann@example.org'],
  ['mailto:', 'Write', undefined],
  ['mailto:ann@example.org', 'ann@example.org', undefined],
  ['mailto:ann@example.org', 'mailto:ann@example.org', undefined],
  ['mailto:ann@example.org', 'Write to <ann@example.org>.', undefined],
  // no UTF-8: the address stays as it is written
  ['mailto:ann%ff@example.org', 'Write to Ann', 'ann%ff@example.org'],
])('a link to %s with the text %j shows %s', (href, text, shown) => {
  expect(findHiddenTarget(href, text)).toBe(shown)
})

it('a title without an address needs no host', () => {
  expect(findOtherTarget('https://a.example/x', 'Minutes of 1.2')).toBeUndefined()
  expect(findOtherTarget('https://a.example/x', 'https://a.example/y')).toBeUndefined()
  expect(findOtherTarget('https://a.example/x', 'https://bank.example')).toBe('a.example')
})
