import type { CustomMessageTriggerEvent } from 'aws-lambda'
import * as z from 'zod'
import { parseEnv } from '../platform/env.ts'
import { siteConfig } from '../platform/site-config.ts'
import { confirmationMail, recoveryMail, type MailContext, type MailTemplate } from './mail-templates.ts'

const { BRAND_NAME: brandName } = parseEnv({ BRAND_NAME: z.string() })

const templates: Partial<
  Record<CustomMessageTriggerEvent['triggerSource'], (context: MailContext) => MailTemplate>
> = {
  CustomMessage_SignUp: confirmationMail,
  CustomMessage_ResendCode: confirmationMail,
  CustomMessage_ForgotPassword: recoveryMail,
}

/**
 * Cognito's CustomMessage trigger: puts the code into a link that works in any browser, also without the session
 * that asked for it. Attached only where an SES sender is configured; the default mailer allows no own text.
 * Messages of other kinds stay as Cognito writes them.
 */
export async function handler(event: CustomMessageTriggerEvent): Promise<CustomMessageTriggerEvent> {
  const template = templates[event.triggerSource]
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
