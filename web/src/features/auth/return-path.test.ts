import { expect, it } from 'vitest'
import { leadsToShared, toReturnPath } from './return-path.ts'

it.each([
  [null, '/'],
  [undefined, '/'],
  ['/settings', '/'],
  [{ from: 5 }, '/'],
  [{ from: '/' }, '/'],
  [{ from: '/?c=abc' }, '/?c=abc'],
  [{ from: '/settings?tab=1#two' }, '/settings?tab=1#two'],
  [{ from: 'settings' }, '/'],
  [{ from: '//evil.example/x' }, '/'],
  [{ from: '/\\evil.example' }, '/'],
  [{ from: 'https://evil.example' }, '/'],
  [{ from: 'javascript:alert(1)' }, '/'],
  [{ from: '/auth?type=recovery' }, '/'],
  [{ from: '/Auth/' }, '/'],
  [{ from: '/authors' }, '/authors'],
])('AUTH-12 DEC-140 with the state %j, returns to %s', (state, path) => {
  expect(toReturnPath(state)).toBe(path)
})

it.each([
  ['/shared#secret', true],
  ['/shared', true],
  ['/Shared/?lang=de#secret', true],
  ['/sharedness', false],
  ['/shared-chats#s', false],
  ['/', false],
  ['/?c=/shared', false],
])('whether signing in leads from %s to a shared conversation: %s', (path, expected) => {
  expect(leadsToShared(path)).toBe(expected)
})
