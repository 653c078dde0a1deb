import type { CustomMessageTriggerEvent } from 'aws-lambda'
import * as z from 'zod'
import { mailLanguageKey } from '#shared/user-pool.ts'
import { parseEnv } from '../platform/env.ts'
import { loadSiteConfig } from '../platform/site-config.ts'
import {
  buildConfirmationMail,
  buildRecoveryMail,
  type MailContext,
  type MailTemplate,
} from './mail-templates.ts'
import { toMailLanguage } from './mail-texts.ts'
import { refuseEmailChange } from './refusals.ts'
import { trigger } from './trigger.ts'

const { BRAND_NAME: brandName, MAIL_TEXTS: mailer } = parseEnv({
  BRAND_NAME: z.string(),
  /** whether the pool's mailer supports texts from a trigger: SES does, Cognito's own mailer does not */
  MAIL_TEXTS: z.enum(['own', 'cognito']),
})

const templates: Partial<
  Record<CustomMessageTriggerEvent['triggerSource'], (context: MailContext) => MailTemplate>
> = {
  CustomMessage_SignUp: buildConfirmationMail,
  CustomMessage_ResendCode: buildConfirmationMail,
  CustomMessage_ForgotPassword: buildRecoveryMail,
}

/** The product cannot change e-mail addresses, so such a request comes from a stolen token. */
const rejectedTriggers = new Set<string>([
  'CustomMessage_UpdateUserAttribute',
  'CustomMessage_VerifyUserAttribute',
])

/**
 * Cognito's CustomMessage trigger: puts the code into a link that works in any browser, even without the session that requested it. Other
 * messages keep Cognito's text, and with Cognito's own mailer all do.
 * @throws Refusal for a change of the e-mail address; no code is sent, and the old address stays
 */
export const handler = trigger(async (event: CustomMessageTriggerEvent) => {
  if (rejectedTriggers.has(event.triggerSource)) throw refuseEmailChange()
  const template = mailer === 'own' ? templates[event.triggerSource] : undefined
  if (!template) return event
  const { userAttributes, codeParameter, clientMetadata } = event.request
  const { origin } = await loadSiteConfig()
  const { subject, html } = template({
    origin,
    brandName,
    email: userAttributes['email'] ?? '',
    codeParameter,
    language: toMailLanguage(clientMetadata?.[mailLanguageKey]),
  })
  event.response.emailSubject = subject
  event.response.emailMessage = html
  return event
})
