import { afterEach, expect, it, vi } from 'vitest'
import type { AdminSite } from '#shared/contracts/site.ts'
import { signUpPolicy } from '#shared/sign-up-policy.ts'
import { findSiteProblems, toSiteForm } from './site-form.ts'

afterEach(() => void vi.useRealTimers())

const unset = { value: null, configured: null }
const form = toSiteForm({
  settings: {
    signUp: unset,
    siteTokensPerDay: unset,
    siteCostPerDay: unset,
    tokensPerDay: unset,
    defaultModel: unset,
    defaultGroup: unset,
    instructions: unset,
    notice: unset,
    replies: unset,
    schedules: unset,
    webPages: unset,
  },
  deployment: {},
} satisfies AdminSite)

it.each([
  ['example.org', undefined],
  [' Example.org , bücher.example,', undefined],
  ['a.example, @example.org', '@example.org'],
  ['not a domain; foo', 'not a domain; foo'],
  ['example.org/path', 'example.org/path'],
  ['example.org:80', 'example.org:80'],
  ['localhost', 'localhost'],
])('the domains %j are judged as the service judges them', (domains, wrong) => {
  expect(signUpPolicy.safeParse(domains).success).toBe(wrong === undefined)
  expect(findSiteProblems({ ...form, signUp: 'domains', domains }, ['domains']).domains).toBe(
    wrong === undefined
      ? undefined
      : `“${wrong}” is no domain. Please enter some, such as example.com, with commas between them.`,
  )
})

it('a notice that nobody would see is not saved, one whose time is over stays', () => {
  const over = { ...form, notice: 'Closed', noticeUntil: '2026-11-01T10:00' }
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z') })
  expect(findSiteProblems(over, ['notice', 'noticeUntil'])).toEqual({
    noticeUntil: 'This time is over.',
  })
  expect(findSiteProblems(over, ['tokensPerDay'])).toEqual({})
  expect(findSiteProblems({ ...over, notice: ' ' }, ['noticeUntil'])).toEqual({})
  expect(findSiteProblems({ ...over, noticeUntil: '' }, ['notice', 'noticeUntil'])).toEqual({})
  expect(findSiteProblems({ ...over, noticeUntil: '2026-12-01T10:00' }, ['notice'])).toEqual({})
})

it.each(['', ' ', ',', ' , '])('asks for a domain where the list %j has none', (domains) => {
  expect(signUpPolicy.safeParse(domains).success).toBe(false)
  expect(findSiteProblems({ ...form, signUp: 'domains', domains }, ['signUp']).domains).toBe(
    'Please enter a domain, such as example.com.',
  )
})
