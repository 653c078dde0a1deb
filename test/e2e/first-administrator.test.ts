/** @module-tag long */
import { expect, it, onTestFinished } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import { startStack } from '../support/local-stack.ts'
import { composer, signedInPage } from '../support/page-steps.ts'

it('tells the first account of a new product once that it is the administrator, and no other one', async () => {
  const stack = await startStack({ env: { FIRST_ADMINISTRATOR: 'on' } })
  onTestFinished(() => stack.stop())
  const { page } = await signedInPage(stack)
  const notice = page.getByRole('region', { name: 'You are an administrator of this site' })
  await notice.getByText('Everybody who reaches this page can create an account.').waitFor()
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect(await findViolations(page, ...rules)).toEqual([])
    await screenshot(page, `admin-notice-${look}`)
  })
  await notice.getByRole('link', { name: 'Open the administration' }).click()
  await page.getByRole('heading', { name: 'Administration', level: 1 }).waitFor()
  await page.goBack()
  await notice.getByRole('button', { name: 'Got it' }).press('Enter')
  await notice.waitFor({ state: 'detached' })
  await page.reload()
  await composer(page).waitFor()
  expect(await notice.count()).toBe(0)

  const { page: other } = await signedInPage(stack)
  await composer(other).waitFor()
  expect(await other.getByRole('region', { name: 'You are an administrator of this site' }).count()).toBe(0)
})
