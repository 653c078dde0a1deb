import { expect, it } from 'vitest'
import { formatRefusal, parseRefusal } from './sign-in-refusal.ts'

it.each([
  [{ code: 'sign_up_closed' }, 'No [code=sign_up_closed]'],
  [{ code: 'use_provider', provider: 'Okta-2' }, 'No [code=use_provider provider=Okta-2]'],
] as const)('a refusal is read from the text that the user pool makes of it: %j', (refusal, message) => {
  expect(formatRefusal('No', refusal)).toBe(message)
  for (const text of [
    message,
    `PreSignUp failed with error ${message}.`,
    `PreSignUp failed with error ${message}. `,
  ])
    expect(parseRefusal(text)).toEqual(refusal)
})

it.each([
  '',
  'PreSignUp failed with error Sign-up is by invitation.',
  'PreSignUp failed with error [code=sign_up_closed] is not what you think.',
  'No [code=]',
  'No [code=Sign up]',
  'No [code=use_provider provider=<b>]',
])('other texts have none: %s', (message) => expect(parseRefusal(message)).toBeUndefined())
