import { expect, it, vi } from 'vitest'
import { loadConfig } from '../../lib/api/config.ts'
import { toAuthError, type AuthFlow } from './auth-errors.ts'

const createError = (name: string, message = '') => Object.assign(new Error(message), { name })

it.each<[string, AuthFlow, string, string, string]>([
  [
    'AUTH-23',
    'sign-in',
    'NotAuthorizedException',
    'Incorrect username or password.',
    'Invalid email or password. Please try again.',
  ],
  ...(['sign-in', 'totp', 'reset'] as const).map(
    (flow) =>
      [
        'the right password of a disabled account',
        flow,
        'NotAuthorizedException',
        'User is disabled.',
        'This account is disabled. Ask the person who runs the site.',
      ] as [string, AuthFlow, string, string, string],
  ),
  [
    'AUTH-23',
    'sign-in',
    'UserNotFoundException',
    'User does not exist.',
    'Invalid email or password. Please try again.',
  ],
  [
    'DEC-191',
    'sign-in',
    'InvalidParameterException',
    'USER_SRP_AUTH is not enabled for the client.',
    'Sign-in with a password is switched off here. Please sign in another way.',
  ],
  [
    'AUTH-24',
    'sign-up',
    'UsernameExistsException',
    '',
    'An account with this email already exists. Please sign in instead.',
  ],
  [
    'AUTH-25',
    'sign-up',
    'InvalidPasswordException',
    'Password not long enough',
    'Password must be at least 6 characters long.',
  ],
  [
    'AUTH-25',
    'sign-up',
    'InvalidParameterException',
    "Value at 'password' failed to satisfy constraint: Member must have length greater than or equal to 6",
    'Password must be at least 6 characters long.',
  ],
  [
    'AUTH-25',
    'sign-up',
    'InvalidParameterException',
    "1 validation error detected: Value at 'password' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[\\S]+.*[\\S]+$",
    'A password cannot begin or end with a space. Remove it and try again.',
  ],
  [
    'AUTH-25',
    'reset',
    'InvalidPasswordException',
    'Password did not conform with policy: Password must have symbol characters',
    'This password was not accepted. Please choose another one.',
  ],
  [
    'AUTH-25',
    'sign-up',
    'InvalidPasswordException',
    'Provided password cannot be used for security reasons.',
    'This password is on lists of common passwords. Please choose another one.',
  ],
  [
    'AUTH-25',
    'reset',
    'InvalidPasswordException',
    'Password not long enough',
    'Password must be at least 6 characters long.',
  ],
  [
    'AUTH-29',
    'sign-in',
    'ResourceNotFoundException',
    'User pool client x does not exist.',
    'Authentication configuration error. Please contact support.',
  ],
  [
    'AUTH-29',
    'sign-in',
    'ConfigError',
    'config.json: region',
    'Authentication configuration error. Please contact support.',
  ],
])('%s translates an error of %s: %s %j', (_, flow, name, message, userMessage) => {
  expect(toAuthError(createError(name, message), flow).userMessage).toBe(userMessage)
})

it('shows the error at its field', () => {
  expect(toAuthError(createError('InvalidPasswordException'), 'sign-up').field).toBe('password')
  expect(
    toAuthError(createError('InvalidParameterException', 'Invalid email address format.'), 'sign-up').field,
  ).toBe('email')
  expect(toAuthError(createError('CodeMismatchException'), 'confirm').field).toBe('code')
  expect(toAuthError(createError('NotAuthorizedException'), 'sign-in').field).toBe('form')
})

it.each<[AuthFlow, string, string, string]>([
  [
    'confirm',
    'NotAuthorizedException',
    'User cannot be confirmed. Current status is CONFIRMED',
    'already-confirmed',
  ],
  ['confirm', 'InvalidParameterException', 'User is already confirmed.', 'already-confirmed'],
  ['confirm', 'ExpiredCodeException', '', 'code-refused'],
  ['confirm', 'UserNotFoundException', '', 'code-refused'],
  ['reset', 'ExpiredCodeException', '', 'code-refused'],
  ['totp', 'CodeMismatchException', '', 'code-refused'],
  ['totp', 'NotAuthorizedException', 'Invalid session for the user.', 'challenge-over'],
  ['totp', 'SignInException', '', 'challenge-over'],
])('LIB-05 classifies an error of %s: %s %j is %s', (flow, name, message, kind) => {
  expect(toAuthError(createError(name, message), flow).kind).toBe(kind)
})

it('DEC-028 has a separate message for too many wrong passwords', () => {
  const lockedError = toAuthError(
    createError('NotAuthorizedException', 'Password attempts exceeded'),
    'sign-in',
  )
  expect(lockedError.userMessage).toBe('Too many attempts. Please wait a few minutes and try again.')
})

it.each([createError('Surprise', 'secret detail of the service'), 'text', undefined, null])(
  'LIB-06 shows a general message for an unknown error: %s',
  (error) => {
    expect(toAuthError(error, 'sign-in').userMessage).toBe('Something went wrong. Please try again.')
  },
)

it('LIM-08 DEC-144 names the password length that this deployment requires', async () => {
  const config = {
    region: 'eu-central-1',
    userPoolId: 'eu-central-1_Ab',
    userPoolClientId: 'client',
    assistantName: 'Juno',
    brandName: 'Juno',
    minPasswordCharacters: 12,
    signUp: 'open',
    demo: { model: false, providers: false },
    version: '1',
  }
  vi.stubGlobal('fetch', vi.fn<typeof fetch>().mockResolvedValue(Response.json(config)))
  await loadConfig()
  const reason = 'Password did not conform with policy: Password not long enough'
  const { userMessage, field } = toAuthError(createError('InvalidPasswordException', reason), 'sign-up')
  expect(userMessage).toBe('Password must be at least 12 characters long.')
  expect(field).toBe('password')
})

it.each(['constructor', 'toString', '__proto__'])(
  'an error that is called %s is one that is not known',
  (name) => {
    expect(toAuthError(createError(name), 'sign-in').userMessage).toBe(
      'Something went wrong. Please try again.',
    )
  },
)
