import { expect, it } from 'vitest'
import * as refusals from './refusals.ts'

const okta = { name: 'Okta', label: 'Work account' }

it.each([
  [refusals.refuseSignUp('closed'), 'Sign-up is by invitation [code=sign_up_closed]'],
  [refusals.refuseSignUp('domains'), 'Sign-up is limited to certain e-mail domains [code=sign_up_domains]'],
  [
    refusals.refuseExisting(okta),
    'An account with this email already exists. Please sign in with Work account instead [code=account_exists provider=Okta]',
  ],
  [
    refusals.refuseExistingPassword(true),
    'An account with this email already exists. Please sign in with your password instead [code=account_exists]',
  ],
  [
    refusals.refuseExistingPassword(false),
    'An account with this email already exists. Please ask the administrator [code=account_exists_password_off]',
  ],
  [refusals.refuseEmailChange(), 'The e-mail address of an account cannot be changed [code=email_fixed]'],
  [refusals.refusePassword(), 'Sign-in with a password is switched off [code=password_off]'],
  [
    refusals.refuseProvider().ofAccount(),
    'This account cannot sign in here. The identity provider of this account is not configured [code=provider_off]',
  ],
  [
    refusals.referTo(okta).ofAccount(),
    'This account cannot sign in here. Please sign in with Work account instead [code=use_provider provider=Okta]',
  ],
])('a refusal has a sentence for people and a code for the page: %s', ({ message }, expected) => {
  expect(message).toBe(expected)
})

it.each([
  ['', /\[code=name_required\]$/],
  ['x'.repeat(201), /\[code=name_too_long\]$/],
])('a name is refused with a code: %.5s', (name, message) => {
  expect(() => refusals.requireName(name)).toThrow(message)
})
