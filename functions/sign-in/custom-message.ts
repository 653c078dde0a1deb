import type { CustomMessageTriggerEvent } from 'aws-lambda'
import * as z from 'zod'
import { parseEnv } from '../platform/env.ts'
import { siteConfig } from '../platform/site-config.ts'
import { confirmationMail, recoveryMail, type MailContext, type MailTemplate } from './mail-templates.ts'

const { BRAND_NAME: brandName, MAIL_TEXTS: mailTexts } = parseEnv({
  BRAND_NAME: z.string(),
  /** whether the pool's mailer takes texts of a trigger: SES does, Cognito's own does not */
  MAIL_TEXTS: z.enum(['own', 'cognito']),
})

const templates: Partial<
  Record<CustomMessageTriggerEvent['triggerSource'], (context: MailContext) => MailTemplate>
> = {
  CustomMessage_SignUp: confirmationMail,
  CustomMessage_ResendCode: confirmationMail,
  CustomMessage_ForgotPassword: recoveryMail,
}

/** There is no way to change the e-mail address in the product, so who asks for one holds somebody's token. */
const rejectedTriggers = new Set<string>([
  'CustomMessage_UpdateUserAttribute',
  'CustomMessage_VerifyUserAttribute',
])

/**
 * Cognito's CustomMessage trigger: puts the code into a link that works in any browser, also without the session
 * that asked for it. Messages of other kinds stay as Cognito writes them, and all do with Cognito's own mailer.
 * @throws Error for a new e-mail address, which then gets no code, so that the old one stays
 */
export async function handler(event: CustomMessageTriggerEvent): Promise<CustomMessageTriggerEvent> {
  if (rejectedTriggers.has(event.triggerSource))
    throw new Error('The e-mail address of an account cannot be changed')
  const template = mailTexts === 'own' ? templates[event.triggerSource] : undefined
  if (!template) return event
  const { userAttributes, codeParameter } = event.request
  const { origin } = await siteConfig()
  const { subject, html } = template({
    origin,
    brandName,
    email: userAttributes['email'] ?? '',
    name: userAttributes['name'] ?? '',
    codeParameter,
  })
  event.response.emailSubject = subject
  event.response.emailMessage = html
  return event
}
