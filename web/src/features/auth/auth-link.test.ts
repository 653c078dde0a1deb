import { expect, it } from 'vitest'
import { parseAuthLink } from './auth-link.ts'

const misconfiguredLink = {
  kind: 'failed',
  userMessage: 'Authentication configuration error. Please contact support.',
}

it.each([
  ['', undefined],
  ['?unrelated=1', undefined],
  [
    '?type=signup&email=ann%2Bx%40x.example&code=123456',
    { kind: 'confirm', email: 'ann+x@x.example', code: '123456' },
  ],
  [
    '?type=recovery&email=a%40x.example&code=123456',
    { kind: 'recovery', email: 'a@x.example', code: '123456' },
  ],
  ['?type=recovery', { kind: 'recovery', email: '', code: '' }],
  ['?message=Email%20confirmed', { kind: 'confirmed' }],
  [
    '?error=access_denied',
    { kind: 'failed', userMessage: 'Google authentication was cancelled. Please try again.' },
  ],
  ['?code=abc&state=xyz', { kind: 'hosted', code: 'abc', state: 'xyz' }],
  ['?code=abc', undefined],
  [
    '?error=invalid_request&error_description=PreSignUp%20failed%20with%20error%20An+account+exists%20%5Bcode%3Daccount_exists%5D.&state=x',
    {
      kind: 'failed',
      userMessage: 'An account with this email already exists. Please sign in instead.',
      isAccountRefused: true,
    },
  ],
  ['?invite=1&email=ann%2Bx%40x.example', { kind: 'invited', email: 'ann+x@x.example' }],
  ['?invite=1', { kind: 'invited', email: '' }],
  ['?invite=1&error=server_error', misconfiguredLink],
  [
    '?error=invalid_request&error_description=PreSignUp%20failed%20with%20error%20No%20[code=sign_up_closed].&state=x',
    {
      kind: 'refused',
      userMessage: expect.stringMatching(/^This site is by invitation/) as string,
      isAccountRefused: true,
    },
  ],
  [
    '?error=invalid_request&error_description=PreSignUp%20failed%20with%20error%20No%20[code=sign_up_domains].&state=x',
    {
      kind: 'refused',
      userMessage: expect.stringMatching(/^Sign-up is limited to certain/) as string,
      isAccountRefused: true,
    },
  ],
  // words are no code
  ['?error=invalid_request&error_description=Sign-up%20is%20by%20invitation.', misconfiguredLink],
  ['?error=invalid_request&error_description=Already%20exists', misconfiguredLink],
  [
    '?error=invalid_request&error_description=Call%200800%20now%20[code=won]',
    {
      kind: 'refused',
      userMessage: 'This site does not accept this account. Ask the person who runs the site.',
      isAccountRefused: true,
    },
  ],
  ['?error=server_error&error_description=Call%200800%20now', misconfiguredLink],
  ['?error_description=Call%200800%20now', misconfiguredLink],
  ['?message=You%20have%20won', misconfiguredLink],
  ['?type=signup&email=a%40x.example', misconfiguredLink],
  ['?type=nonsense', misconfiguredLink],
])('NAV-03 DEC-029 parses “%s”', (search, link) => {
  const parsed = parseAuthLink({ search, hash: '' }, 'Google')
  const cause = expect.objectContaining({ code: expect.any(String) as unknown }) as unknown
  expect(parsed).toEqual(link && 'userMessage' in link ? { ...link, cause } : link)
})

it.each([
  ['?error=access_denied', 'access_denied'],
  ['?error=call%200800%20now', 'unknown_error'],
  ['?type=nonsense', 'unknown_link'],
])('the details of the error that “%s” reports have its code, if that is one', (search, code) => {
  expect(parseAuthLink({ search, hash: '' }, undefined)).toMatchObject({ cause: { code } })
})

it.each([
  ['?invite=1&email=a%40x.example', '#secret=s3', { kind: 'invited', email: 'a@x.example', secret: 's3' }],
  ['?invite=1&email=a%40x.example', '#secret=', { kind: 'invited', email: 'a@x.example' }],
  ['?invite=1&secret=s3', '', { kind: 'invited', email: '' }],
  ['', '#secret=s3', undefined],
])('a mailed invitation has its secret behind the #: %s%s', (search, hash, link) => {
  expect(parseAuthLink({ search, hash }, undefined)).toEqual(link)
})
