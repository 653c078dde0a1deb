/** @module-tag long */
import { expect, it } from 'vitest'
import { findEnglish } from '../support/english-texts.ts'
import { grantAdmin } from '../support/grant-admin.ts'
import { newPage } from '../support/browser.ts'
import { signedInPage } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'
import { settled } from '../support/settled.ts'

const stack = await demoStack()

it('no page in German says anything in English', async () => {
  const user = await stack.newUser()
  await grantAdmin(stack, user.email)
  const { page } = await signedInPage(stack, {}, user)
  await page.goto('/settings')
  await settled(page)
  expect((await findEnglish(page)).length).toBeGreaterThan(50)
  await page.goto('/?lang=de')
  const paths = [
    '/',
    '/settings',
    '/integrations',
    '/files',
    '/nowhere',
    '/oauth/callback?error=access_denied',
  ]
  const sections = ['users', 'invitations', 'groups', 'assistants', 'apps', 'site', 'usage', 'log']
  for (const path of [...paths, ...sections.map((section) => `/admin/${section}`)]) {
    await page.goto(path)
    await settled(page)
    expect([path, await findEnglish(page)]).toEqual([path, []])
  }
  await page.goto('/integrations')
  for (const name of ['Gmail', 'Slack', 'Shopify']) {
    await page.getByRole('textbox', { name: 'Integrationen suchen' }).fill(name)
    await page.getByRole('article', { name, exact: true }).getByRole('button').first().click()
    await page.getByRole('dialog').waitFor()
    expect([name, await findEnglish(page)]).toEqual([name, []])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
})

it('neither does the sign-in', async () => {
  const page = await newPage({ baseURL: stack.origin })
  await page.goto('/auth?lang=de')
  await settled(page)
  expect(await findEnglish(page)).toEqual([])
})
