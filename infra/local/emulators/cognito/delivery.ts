import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { CustomMessageTriggerEvent } from 'aws-lambda'
import { mailHtmlToText } from '../../mail-text.ts'
import { CognitoError } from './errors.ts'
import type { Pool } from './pool.ts'
import type { MailedCode, PoolUser } from './pool-store.ts'
import { callTrigger, eventFields, triggerAttributes } from './triggers.ts'

type CodeMessage =
  | 'CustomMessage_SignUp'
  | 'CustomMessage_ResendCode'
  | 'CustomMessage_ForgotPassword'
  | 'CustomMessage_UpdateUserAttribute'
  | 'CustomMessage_VerifyUserAttribute'

/** Placeholder of the code in a custom message. */
const PLACEHOLDER = '{####}'
const SUBJECT_LIMIT = 140
const BODY_LIMIT = 20_000

export const SIGN_UP_CODE_MS = 24 * 3_600_000
export const RESET_CODE_MS = 3_600_000

export interface CodeDelivery {
  Destination: string
  DeliveryMedium: 'EMAIL'
  AttributeName: 'email'
}

/** A new six-digit code that is good for `lifeMs`. */
export function newCode(lifeMs: number): MailedCode {
  return { code: String(randomInt(1_000_000)).padStart(6, '0'), expiresAt: Date.now() + lifeMs }
}

/** Whether `enteredCode` is the mailed code. Compares in constant time. */
export function codeMatches({ code }: MailedCode, enteredCode: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(code), digest(enteredCode))
}

/**
 * Mails a code, with the text of the CustomMessage trigger if there is one.
 * @throws InvalidLambdaResponseException when the trigger's message lacks the placeholder, is too long, or is not allowed with
 * the pool's mailer; UserLambdaValidationException when the trigger refuses
 */
export async function deliverCode(
  pool: Pool,
  message: {
    source: CodeMessage
    user: PoolUser
    to: string
    code: string
    clientMetadata: Record<string, string> | undefined
  },
): Promise<CodeDelivery> {
  const { subject, html } = (await customMessage(pool, message)) ?? plainMessage(message.source)
  const body = html.replaceAll(PLACEHOLDER, message.code)
  pool.mailbox.add({
    to: message.to,
    subject: subject.replaceAll(PLACEHOLDER, message.code),
    html: body,
    text: mailHtmlToText(body),
  })
  return delivery(message.to)
}

/** The delivery details for an unknown user name, which look like real ones. */
export function pretendDelivery(pool: Pool, name: string): CodeDelivery {
  if (name.includes('@')) return delivery(name)
  const digest = createHmac('sha256', pool.fakeKey).update(name.toLowerCase()).digest()
  const letter = (byte: number) => String.fromCharCode(97 + (byte % 26))
  return delivery(`${letter(digest.readUInt8(0))}@${letter(digest.readUInt8(1))}`)
}

async function customMessage(
  pool: Pool,
  { source, user, clientMetadata }: Parameters<typeof deliverCode>[1],
): Promise<{ subject: string; html: string } | undefined> {
  if (!pool.triggers.customMessage) return undefined
  const event = {
    ...eventFields(pool, user),
    triggerSource: source,
    request: {
      userAttributes: triggerAttributes(user),
      codeParameter: PLACEHOLDER,
      linkParameter: '{##Click Here##}',
      usernameParameter: null,
      ...(clientMetadata && { clientMetadata }),
    },
    response: { smsMessage: null, emailMessage: null, emailSubject: null },
  } as CustomMessageTriggerEvent
  const { response } = await callTrigger('CustomMessage', pool.triggers.customMessage, event)
  const { emailMessage, emailSubject } = response ?? {}
  if (emailMessage === null && emailSubject === null) return undefined
  // https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-custom-message.html: texts only with one's own SES
  if (pool.emailSendingAccount === 'COGNITO_DEFAULT')
    throw new CognitoError(
      'InvalidLambdaResponseException',
      'CustomMessage must not set texts with the default mailer',
    )
  if (
    typeof emailMessage !== 'string' ||
    !emailMessage.includes(PLACEHOLDER) ||
    emailMessage.length > BODY_LIMIT
  )
    throw new CognitoError(
      'InvalidLambdaResponseException',
      'CustomMessage returned an invalid email message',
    )
  if (typeof emailSubject === 'string' && emailSubject.length > SUBJECT_LIMIT)
    throw new CognitoError(
      'InvalidLambdaResponseException',
      'CustomMessage returned an invalid email subject',
    )
  return { subject: emailSubject ?? plainMessage(source).subject, html: emailMessage }
}

function plainMessage(source: CodeMessage): { subject: string; html: string } {
  const kind = source === 'CustomMessage_ForgotPassword' ? 'password reset' : 'confirmation'
  return { subject: 'Your verification code', html: `Your ${kind} code is ${PLACEHOLDER}` }
}

function delivery(email: string): CodeDelivery {
  const [name = '', domain = ''] = email.split('@')
  const mask = (part: string) => `${part.slice(0, 1)}***`
  return { Destination: `${mask(name)}@${mask(domain)}`, DeliveryMedium: 'EMAIL', AttributeName: 'email' }
}
