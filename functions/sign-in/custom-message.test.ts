import { globSync } from 'node:fs'
import { basename } from 'node:path'
import type { CustomMessageTriggerEvent } from 'aws-lambda'
import { beforeAll, expect, it, vi } from 'vitest'

vi.mock('../platform/site-config.ts', () => ({
  loadSiteConfig: () => Promise.resolve({ origin: 'https://juno.example', clientId: 'abc' }),
}))

let handler: (event: CustomMessageTriggerEvent) => Promise<CustomMessageTriggerEvent>

beforeAll(async () => {
  vi.stubEnv('BRAND_NAME', 'Juno')
  vi.stubEnv('MAIL_TEXTS', 'own')
  ;({ handler } = await import('./custom-message.ts'))
})

const buildEvent = (
  triggerSource: string,
  attributes: Record<string, string> = {},
  clientMetadata?: Record<string, string>,
) =>
  ({
    version: '1',
    region: 'eu-central-1',
    userPoolId: 'eu-central-1_abc',
    userName: '5f2f6c2e-0d2c-4a5e-9a53-0f7a5f3f1b1a',
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: 'abc' },
    triggerSource,
    request: {
      userAttributes: { email: 'ann+x@example.com', name: 'Ann', ...attributes },
      codeParameter: '{####}',
      linkParameter: '{##Click Here##}',
      usernameParameter: null,
      ...(clientMetadata && { clientMetadata }),
    },
    response: { smsMessage: null, emailMessage: null, emailSubject: null },
  }) as CustomMessageTriggerEvent

it.each([
  ['CustomMessage_SignUp', 'signup', 'Confirm your Juno account'],
  ['CustomMessage_ResendCode', 'signup', 'Confirm your Juno account'],
  ['CustomMessage_ForgotPassword', 'recovery', 'Reset your Juno password'],
])('AUTH-18 AUTH-21 %s links to /auth with the literal placeholder', async (source, type, subject) => {
  const { response } = await handler(buildEvent(source))
  expect(response.emailSubject).toBe(subject)
  expect(response.emailMessage).toContain(
    `href="https://juno.example/auth?type=${type}&email=ann%2Bx%40example.com&code={####}"`,
  )
  expect(response.emailMessage?.length).toBeLessThan(20_000)
})

it.each(['CustomMessage_SignUp', 'CustomMessage_ResendCode', 'CustomMessage_ForgotPassword'])(
  '%s carries no text of whoever signed up with the address',
  async (source) => {
    const name = 'customer. Your account was charged $899. To cancel call +1 202 555 0100'
    const { response } = await handler(buildEvent(source, { name }))
    expect(response).toEqual((await handler(buildEvent(source))).response)
    expect(response.emailMessage).toContain('Hello,')
  },
)

it.each(['CustomMessage_SignUp', 'CustomMessage_ForgotPassword'])(
  '%s is in the language of the page, with the same links; any other language is English',
  async (source) => {
    const write = async (language: string) => (await handler(buildEvent(source, {}, { language }))).response
    const english = await write('en')
    const links = (html: string | null) => html?.match(/href="[^"]*"/g)
    const pages = globSync('web/src/languages/*.json').map((file) => basename(file, '.json'))
    expect(pages.length).toBeGreaterThan(5)
    for (const language of pages) {
      const { emailSubject, emailMessage } = await write(language)
      expect(emailSubject).toContain('Juno')
      expect(emailSubject).not.toBe(english.emailSubject)
      expect(emailMessage).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(emailMessage).not.toMatch(/Hello,|button|\{brand\}|\{code\}/)
      expect(emailMessage?.split('{####}').length).toBe(english.emailMessage?.split('{####}').length)
      expect(links(emailMessage)).toEqual(links(english.emailMessage))
    }
    for (const other of ['', 'xx', '__proto__', '"><script>']) expect(await write(other)).toEqual(english)
  },
)

it('leaves other messages as Cognito writes them', async () => {
  const event = buildEvent('CustomMessage_Authentication')
  expect(await handler(structuredClone(event))).toEqual(event)
})

it.each(['CustomMessage_SignUp', 'CustomMessage_ForgotPassword'])(
  'DEC-152 sets no text that Cognito’s own mailer would refuse: %s',
  async (source) => {
    vi.resetModules()
    vi.stubEnv('BRAND_NAME', 'Juno')
    vi.stubEnv('MAIL_TEXTS', 'cognito')
    const { handler: cognitoMailHandler } = await import('./custom-message.ts')
    expect((await cognitoMailHandler(buildEvent(source))).response).toEqual(buildEvent(source).response)
  },
)

it.each(['CustomMessage_UpdateUserAttribute', 'CustomMessage_VerifyUserAttribute'])(
  'a stolen token cannot request a code for another e-mail address: %s (H5)',
  async (source) => {
    await expect(handler(buildEvent(source))).rejects.toThrow('cannot be changed')
  },
)
