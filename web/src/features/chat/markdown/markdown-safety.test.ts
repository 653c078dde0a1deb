import { expect, it } from 'vitest'
import { isSafeLink } from './markdown-safety.ts'

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
