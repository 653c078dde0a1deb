import { expect, it } from 'vitest'
import { maskSecrets } from './mask-secrets.ts'

it('masks secrets by their name or their pattern', () => {
  const mask = '••••••••'
  expect(
    maskSecrets({
      to: 'ann@example.org',
      password: 'p',
      nested: [{ 'api-key': 7, note: 'the key is sk-proj-abcdefghijkl1234' }],
      headers: { Authorization: 'Basic abc' },
      text: 'Bearer abcdefghijklmnop and eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc',
    }),
  ).toEqual({
    to: 'ann@example.org',
    password: mask,
    nested: [{ 'api-key': mask, note: `the key is ${mask}` }],
    headers: { Authorization: mask },
    text: `${mask} and ${mask}`,
  })
})

it.each([
  ['Your password: hunter2. It ends soon.', 'Your password: •••••••• It ends soon.'],
  ['Das Passwort = "geheim123"', 'Das Passwort = "••••••••"'],
  ['https://example.org/reset?token=abc123&user=ann', 'https://example.org/reset?token=••••••••&user=ann'],
  ['{"api_key": "abcd1234"}', '{"api_key": "••••••••"}'],
  [
    'Your password is safe with us; the token ring: none',
    'Your password is safe with us; the token ring: none',
  ],
])('masks a secret that a text names: %s', (text, masked) => {
  expect(maskSecrets(text)).toBe(masked)
})

it('leaves other values unchanged, and stops at deep nesting', () => {
  const value = { a: [1, true, null, 'token of thanks'], tokens: ['b'] }
  expect(maskSecrets(value)).toEqual(value)
  const deep: Record<string, unknown> = {}
  deep['again'] = deep
  expect(JSON.stringify(maskSecrets(deep))).toContain('…')
})
