import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { childEnvironment } from '../support/child-environment.ts'
import { findViolations } from '../support/axe.ts'
import { newPage } from '../support/browser.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { cognitoRefusal, composer } from '../support/page-steps.ts'

const run = promisify(execFile)

let stack: LocalStack
beforeAll(async () => {
  stack = await startStack({ env: { SIGN_UP: 'closed' } })
})
afterAll(() => stack.stop())

async function invitationLink(email: string): Promise<string> {
  const { stdout } = await run(
    process.execPath,
    ['infra/operate/invite.ts', '--url', stack.origin, '--email', email],
    { env: { ...childEnvironment, LOCAL_DATA_DIR: stack.dataDir } },
  )
  return /https?:\S+\/auth\S+/.exec(stdout)?.[0] ?? ''
}

async function createAccount(page: Page): Promise<void> {
  await page.getByLabel('Full name').fill('Ann Example')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Create account' }).click()
}

it(
  'an invited person creates an account with the link and the mail, and signs in (H6)',
  { tags: 'trial' },
  async () => {
    const email = `${crypto.randomUUID()}@example.com`
    const page = await newPage({ baseURL: stack.origin })
    await page.goto('/auth')
    await page.getByText('This site is by invitation').waitFor()
    expect(await page.getByRole('button', { name: 'Create account' }).count()).toBe(0)

    expect(await findViolations(page)).toEqual([])

    await page.goto(await invitationLink(email))
    await page.reload()
    await page.getByText('Use the address that was invited.').waitFor()
    await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe(email)
    await createAccount(page)
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
    const [mail] = await stack.mail(email)
    await page.getByLabel('Code from the e-mail').fill(/code=(\d{6})/.exec(mail?.text ?? '')?.[1] ?? '')
    await composer(page).waitFor()
  },
)

it(
  'an uninvited person with a made-up invitation learns that it does not exist, with a password and with Google (H6)',
  { tags: 'trial' },
  async () => {
    const page = await newPage({ baseURL: stack.origin, expected: [cognitoRefusal] })
    await page.goto('/auth?invite=1&email=mallory%40gmail.example')
    await createAccount(page)
    const refusal = page.getByRole('alert').getByText('This site is by invitation, and there is none')
    await refusal.waitFor()

    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await refusal.waitFor()
    expect(page.url()).toBe(`${stack.origin}/auth`)
  },
)
