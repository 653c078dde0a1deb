import { signUpErrors } from '#shared/user-pool.ts'
import { leastPasswordCharacters } from '../../lib/config.ts'

/** What went wrong in a flow, in words for the user, and where on the form it belongs. */
export interface AuthError {
  kind: AuthErrorKind
  field: 'email' | 'password' | 'code' | 'form'
  userMessage: string
}

type AuthErrorKind =
  | 'account-exists'
  | 'already-confirmed'
  | 'already-signed-in'
  | 'challenge-over'
  | 'code-refused'
  /** a right code of the app that was taken before */
  | 'code-used'
  | 'other'

/** The flows whose errors mean different things under the same name. */
export type AuthFlow = 'sign-in' | 'sign-up' | 'confirm' | 'reset' | 'totp'

export const authSentences = {
  invalidCredentials: 'Invalid email or password. Please try again.',
  accountExists: 'An account with this email already exists. Please sign in instead.',
  notInvited:
    'This site is by invitation, and there is none for this e-mail address, or it has expired. Ask the person who runs the site for one.',
  otherDomain:
    'Accounts here are for certain e-mail domains. Use your address there, or ask the person who runs the site for an invitation.',
  notConfirmed: 'Please check your email and click the confirmation link before signing in.',
  googleNotConfigured: 'Google authentication is not configured. Please contact support.',
  misconfigured: 'Authentication configuration error. Please contact support.',
  googleExpired: 'This sign-in with Google took too long or was begun elsewhere. Please try again.',
  googleCancelled: 'Google authentication was cancelled. Please try again.',
  requiredFields: 'Please fill in all required fields',
  fullNameRequired: 'Please enter your full name',
  emailFirst: 'Please enter your e-mail address first',
  emailInvalid: 'Please enter a valid e-mail address.',
  wrongCode: 'That code is not right. Please check it and try again.',
  codeExpired: 'This code was already used or has expired. Ask for a new one.',
  wrongTotp: 'Invalid verification code. Please try again.',
  challengeExpired: 'That took too long. Please sign in again.',
  alreadyConfirmed: 'This e-mail address is already confirmed. You can sign in.',
  tooManyAttempts: 'Too many attempts. Please wait a few minutes and try again.',
  mailNotSent: 'The e-mail could not be sent. Please try again later.',
  unreachable: 'The sign-in service could not be reached. Check your connection and try again.',
  passwordSetSessionsOpen:
    'Your new password is set, but other sessions could not be ended. Please sign in, then choose “Sign out everywhere” in the settings.',
  confirmedWithoutPassword:
    'Your e-mail address is confirmed, but something went wrong. Please choose “Forgot your password?” to set a password.',
  unknown: 'Something went wrong. Please try again.',
} as const

type Rule = readonly [AuthErrorKind, AuthError['field'], string]

const invalidCredentials: Rule = ['other', 'form', authSentences.invalidCredentials]
const codeExpired: Rule = ['code-refused', 'code', authSentences.codeExpired]
const wrongCode: Rule = ['code-refused', 'code', authSentences.wrongCode]
const misconfigured: Rule = ['other', 'form', authSentences.misconfigured]
const tooManyAttempts: Rule = ['other', 'form', authSentences.tooManyAttempts]
const mailNotSent: Rule = ['other', 'form', authSentences.mailNotSent]
const passwordTooShort = (): Rule => [
  'other',
  'password',
  `Password must be at least ${leastPasswordCharacters()} characters long.`,
]
const wrongTotp: Rule = ['code-refused', 'code', authSentences.wrongTotp]
const challengeExpired: Rule = ['challenge-over', 'form', authSentences.challengeExpired]

const commonRules: Record<string, Rule> = {
  CodeDeliveryFailureException: mailNotSent,
  CodeMismatchException: wrongCode,
  ConfigError: misconfigured,
  ExpiredCodeException: codeExpired,
  InvalidUserPoolConfigurationException: misconfigured,
  LimitExceededException: tooManyAttempts,
  NetworkError: ['other', 'form', authSentences.unreachable],
  ResourceNotFoundException: misconfigured,
  TooManyFailedAttemptsException: tooManyAttempts,
  TooManyRequestsException: tooManyAttempts,
  UserAlreadyAuthenticatedException: ['already-signed-in', 'form', authSentences.unknown],
  UsernameExistsException: ['account-exists', 'form', authSentences.accountExists],
}

const rulesByFlow: Record<AuthFlow, Record<string, Rule>> = {
  'sign-in': { NotAuthorizedException: invalidCredentials, UserNotFoundException: invalidCredentials },
  'sign-up': {},
  confirm: {
    NotAuthorizedException: ['already-confirmed', 'form', authSentences.alreadyConfirmed],
    UserNotFoundException: codeExpired,
  },
  reset: { NotAuthorizedException: codeExpired, UserNotFoundException: wrongCode },
  totp: {
    CodeMismatchException: wrongTotp,
    EnableSoftwareTokenMFAException: wrongTotp,
    ExpiredCodeException: ['code-used', 'code', authSentences.wrongTotp],
    NotAuthorizedException: challengeExpired,
    SignInException: challengeExpired,
  },
}

/**
 * The sentence for an error of the sign-in service (AUTH-23 to AUTH-29, LIB-05, LIB-06). The service's own text is read to
 * tell cases apart that share a name, never shown.
 */
export function toAuthError(error: unknown, flow: AuthFlow): AuthError {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  const [kind, field, userMessage] =
    matchByMessage(name, message, flow) ??
    rulesByFlow[flow][name] ??
    commonRules[name] ??
    (['other', 'form', authSentences.unknown] as const)
  return { kind, field, userMessage }
}

/**
 * The sentence for what the service says of a sign-up that the site's policy does not admit.
 * @returns undefined when it says something else
 */
export function describeSignUpRefusal(message: string): string | undefined {
  if (message.includes(signUpErrors.closed)) return authSentences.notInvited
  return message.includes(signUpErrors.domains) ? authSentences.otherDomain : undefined
}

function matchByMessage(name: string, message: string, flow: AuthFlow): Rule | undefined {
  if (name === 'NotAuthorizedException' && /attempts exceeded/i.test(message)) return tooManyAttempts
  const refused = name === 'UserLambdaValidationException' ? describeSignUpRefusal(message) : undefined
  if (refused !== undefined) return ['other', 'form', refused]
  // what PreSignUp says about the address of a Google account (DEC-118)
  if (name === 'UserLambdaValidationException' && /already exists/i.test(message))
    return commonRules['UsernameExistsException']
  // the change stands, what was to follow it does not
  if (name === 'UserLambdaValidationException' && message.startsWith('PostConfirmation '))
    return [
      'other',
      'form',
      flow === 'reset' ? authSentences.passwordSetSessionsOpen : authSentences.confirmedWithoutPassword,
    ]
  if (name === 'InvalidPasswordException') return passwordTooShort()
  if (name !== 'InvalidParameterException') return undefined
  if (/already confirmed/i.test(message)) return rulesByFlow.confirm['NotAuthorizedException']
  if (/password/i.test(message)) return flow === 'sign-in' ? invalidCredentials : passwordTooShort()
  if (/confirmationcode/i.test(message)) return wrongCode
  if (/e-?mail|username/i.test(message)) return ['other', 'email', authSentences.emailInvalid]
  return undefined
}
