import { plural, t } from '@lingui/core/macro'
import { getOwn } from '#shared/get-own.ts'
import { parseRefusal, type RefusalCode } from '#shared/sign-in-refusal.ts'
import { accountDisabled } from '../../lib/api/api-errors.ts'
import { isAccountDisabled } from '../../lib/api/auth-events.ts'
import { getIdentityProviders, getMinPasswordCharacters } from '../../lib/api/config.ts'
import { google } from '../../lib/sign-in/identity-providers.ts'
import { loadAmplifyAuth } from '../../lib/sign-in/load-amplify-auth.ts'
import * as texts from './error-texts.ts'

/** An error of an auth flow: its message for the user and the field it belongs to. */
export interface AuthError {
  kind: AuthErrorKind
  field: 'email' | 'password' | 'code' | 'form'
  userMessage: string
  /** what failed; absent if the page itself refuses what was entered */
  cause?: unknown
}

/** The result of a step of the sign-in page: the error, or undefined if there is none. */
export type StepResult = Promise<AuthError | undefined>

/** The kinds of errors to which the page reacts differently. */
type AuthErrorKind =
  | 'account-exists'
  | 'already-confirmed'
  | 'challenge-over'
  | 'code-refused'
  /** a correct TOTP code that was used before */
  | 'code-used'
  | 'credentials-refused'
  | 'other'

/** The flow in which an error occurred: the same name means different things in each. */
export type AuthFlow = 'sign-in' | 'sign-up' | 'confirm' | 'reset' | 'totp' | 'new-password'

/** What the page makes of an error of the service: kind, field and message. */
type Rule = readonly [AuthErrorKind, AuthError['field'], string]

const invalidCredentials: Rule = [
  'credentials-refused',
  'form',
  t`Invalid email or password. Please try again.`,
]
const codeExpired: Rule = [
  'code-refused',
  'code',
  t`This code was already used or has expired. Ask for a new one.`,
]
const wrongCode: Rule = ['code-refused', 'code', t`That code is wrong. Please check it and try again.`]
const misconfigured: Rule = ['other', 'form', texts.misconfigured]
const tooManyAttempts: Rule = [
  'other',
  'form',
  t`Too many attempts. Please wait a few minutes and try again.`,
]
const mailNotSent: Rule = ['other', 'form', t`The e-mail could not be sent. Please try again later.`]
const passwordTooShort = (): Rule => [
  'other',
  'password',
  plural(
    { minCharacters: getMinPasswordCharacters() },
    {
      one: 'Password must be at least # character long.',
      other: 'Password must be at least # characters long.',
    },
  ),
]
const passwordCommon: Rule = ['other', 'password', texts.passwordCommon]
const passwordHasSpaces: Rule = ['other', 'password', texts.passwordHasSpaces]
const passwordRefused: Rule = [
  'other',
  'password',
  t`This password was not accepted. Please choose another one.`,
]
const wrongTotp: Rule = ['code-refused', 'code', t`Invalid verification code. Please try again.`]
const alreadyConfirmed: Rule = [
  'already-confirmed',
  'form',
  t`This e-mail address is already confirmed. You can sign in.`,
]
const temporaryExpired: Rule = [
  'other',
  'form',
  t`Your temporary password has expired. Ask the person who runs the site for a new one.`,
]
const challengeExpired: Rule = ['challenge-over', 'form', t`That took too long. Please sign in again.`]

const commonRules: Record<string, Rule> = {
  CodeDeliveryFailureException: mailNotSent,
  CodeMismatchException: wrongCode,
  ConfigError: misconfigured,
  ExpiredCodeException: codeExpired,
  InvalidUserPoolConfigurationException: misconfigured,
  LimitExceededException: tooManyAttempts,
  NetworkError: ['other', 'form', texts.unreachable],
  ResourceNotFoundException: misconfigured,
  TooManyFailedAttemptsException: tooManyAttempts,
  TooManyRequestsException: tooManyAttempts,
  UsernameExistsException: [
    'account-exists',
    'form',
    t`An account with this email already exists. Please sign in instead.`,
  ],
}

const rulesByFlow: Record<AuthFlow, Record<string, Rule>> = {
  'sign-in': { NotAuthorizedException: invalidCredentials, UserNotFoundException: invalidCredentials },
  'sign-up': {},
  confirm: {
    NotAuthorizedException: alreadyConfirmed,
    UserNotFoundException: codeExpired,
  },
  reset: { NotAuthorizedException: codeExpired, UserNotFoundException: wrongCode },
  'new-password': { NotAuthorizedException: challengeExpired, SignInException: challengeExpired },
  totp: {
    CodeMismatchException: wrongTotp,
    EnableSoftwareTokenMFAException: wrongTotp,
    ExpiredCodeException: ['code-used', 'code', wrongTotp[2]],
    NotAuthorizedException: challengeExpired,
    SignInException: challengeExpired,
  },
}

/**
 * Converts an error of Cognito, of the connection or of the configuration. The error's own text is never shown: it only distinguishes errors
 * that share a name.
 */
export function toAuthError(error: unknown, flow: AuthFlow): AuthError {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  if (isAccountDisabled(error))
    return { kind: 'other', field: 'form', userMessage: accountDisabled, cause: error }
  const [kind, field, userMessage] =
    matchByMessage(name, message, flow) ??
    getOwn(rulesByFlow[flow], name) ??
    getOwn(commonRules, name) ??
    (['other', 'form', texts.unknownError] as const)
  return { kind, field, userMessage, cause: error }
}

/** Runs a step of a flow with Amplify, which is loaded first. @returns why it has failed */
export async function askAmplify(
  flow: AuthFlow,
  ask: (amplify: Awaited<ReturnType<typeof loadAmplifyAuth>>) => Promise<unknown>,
): StepResult {
  try {
    await ask(await loadAmplifyAuth())
  } catch (error) {
    return toAuthError(error, flow)
  }
  return undefined
}

/** A refusal of the user pool's triggers, for the user. */
interface DescribedRefusal {
  userMessage: string
  /** the address has an account: the page shows the form that signs in */
  isExisting: boolean
}

/**
 * The message for an address or account that the user pool's triggers refuse, by its code. What the service writes is never shown: a
 * provider is called by its label here, and has to be Google or one of the configured ones.
 * @param message of the error
 * @returns undefined for errors without a code
 */
export function describeRefusal(message: string): DescribedRefusal | undefined {
  const refusal = parseRefusal(message)
  if (!refusal) return undefined
  const provider = [...getIdentityProviders(), google].find(({ name }) => name === refusal.provider)
  return {
    userMessage:
      getOwn<(typeof refusals)[RefusalCode]>(refusals, refusal.code)?.(provider?.label) ??
      t`This site does not accept this account. Ask the person who runs the site.`,
    isExisting: refusal.code.startsWith('account_exists'),
  }
}

/** The message for each refusal; undefined where it would have to name a provider that is unknown here. */
const refusals: Record<RefusalCode, (label: string | undefined) => string | undefined> = {
  // the sentence for an account of Google is the one that every other account has
  account_exists: (label) =>
    label === undefined || label === google.label
      ? t`An account with this email already exists. Please sign in instead.`
      : t`An account with this email already exists. Please sign in with ${label} instead.`,
  account_exists_password_off: () =>
    t`An account with this email already exists, with a password, and passwords are switched off here. Ask the person who runs the site.`,
  email_fixed: () => t`The e-mail address of an account cannot be changed.`,
  name_required: () => t`Please enter your full name`,
  name_too_long: () => t`This name is too long. Please shorten it.`,
  password_off: () => texts.passwordsOff,
  provider_off: () => t`Sign-in with this provider is switched off here. Ask the person who runs the site.`,
  sign_up_closed: () =>
    t`This site is by invitation, and there is none for this e-mail address, or it has expired. Ask the person who runs the site for one.`,
  sign_up_domains: () =>
    t`Sign-up is limited to certain e-mail domains. Use your address at one of them, or ask the person who runs the site for an invitation.`,
  use_provider: (label) =>
    label === undefined
      ? undefined
      : t`Your organisation signs in with ${label}. Please choose “Continue with ${label}”.`,
}

/** Why the user pool refuses a new password: only its message tells. */
function describePassword(message: string): Rule {
  // of the pool's policy, and of the API, which accepts no shorter one whatever the policy is
  if (/not long enough|length greater than/i.test(message)) return passwordTooShort()
  // the pool knows the password from a leak
  if (/security reasons/i.test(message)) return passwordCommon
  // the API accepts no white space at the ends
  return /regular expression pattern/i.test(message) ? passwordHasSpaces : passwordRefused
}

/** The rule for errors whose name alone does not say what is wrong. */
function matchByMessage(name: string, message: string, flow: AuthFlow): Rule | undefined {
  if (name === 'NotAuthorizedException' && /attempts exceeded/i.test(message)) return tooManyAttempts
  if (name === 'NotAuthorizedException' && /temporary password has expired/i.test(message))
    return temporaryExpired
  const refusal = name === 'UserLambdaValidationException' ? describeRefusal(message) : undefined
  if (refusal) return [refusal.isExisting ? 'account-exists' : 'other', 'form', refusal.userMessage]
  // the change was saved, but PostConfirmation failed
  if (name === 'UserLambdaValidationException' && message.startsWith('PostConfirmation '))
    return [
      'other',
      'form',
      flow === 'reset'
        ? t`Your new password is set, but other sessions could not be ended. Please sign in, then choose “Sign out everywhere” in the settings.`
        : t`Your e-mail address is confirmed, but something went wrong. Please choose “Forgot your password?” to set a password.`,
    ]
  if (name === 'InvalidPasswordException') return describePassword(message)
  if (name !== 'InvalidParameterException') return undefined
  // `USER_SRP_AUTH is not enabled for the client.`
  if (/not enabled for th(e|is) client/i.test(message)) return ['other', 'form', texts.passwordsOff]
  if (/already confirmed/i.test(message)) return alreadyConfirmed
  if (/password/i.test(message)) return flow === 'sign-in' ? invalidCredentials : describePassword(message)
  if (/confirmationcode/i.test(message)) return wrongCode
  if (/e-?mail|username/i.test(message)) return ['other', 'email', t`Please enter a valid e-mail address.`]
  return undefined
}
