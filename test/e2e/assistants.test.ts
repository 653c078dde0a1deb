/** @module-tag long */
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, screenshot, screenshotEachLook } from '../support/browser.ts'
import { checkLooks } from '../support/check-looks.ts'
import { openHistory, sendMessage, signedInPage, waitForReplyEnd } from '../support/page-steps.ts'
import { publishingFor } from '../support/publish-project.ts'
import { pngOf } from '../support/png-of.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import { openTeam } from '../support/team.ts'

const { model, stack } = await scriptedStack('Fine.')

/** Fields and buttons that something covers when Tab leads to them, in a low window. */
async function findCoveredByTab(page: Page): Promise<string[]> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 1280, height: 480 })
  await page.getByRole('textbox', { name: 'Name' }).focus()
  const covered: string[] = []
  let isLast = false
  for (let presses = 0; !isLast; presses += 1) {
    if (presses > 60) throw new Error('Tab does not lead to the end of the form')
    await page.keyboard.press('Tab')
    const found = await page.evaluate(() => {
      const focused = document.activeElement as HTMLElement
      const { x, y, width, height } = focused.getBoundingClientRect()
      const top = document.elementFromPoint(x + width / 2, y + height / 2)
      const name = focused.getAttribute('aria-label') ?? focused.textContent
      return { name, isCovered: !focused.contains(top), isLast: focused.matches('[type=submit]') }
    })
    if (found.isCovered) covered.push(found.name)
    isLast = found.isLast
  }
  if (size) await page.setViewportSize(size)
  return covered
}

const teamLink = (page: Page) =>
  page.getByRole('list', { name: 'From your team' }).getByRole('link', { name: 'Order desk' })

const readPicture = (place: Locator) =>
  place.locator('img').evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])

it('a project is published for a group, whose members chat with it until it is withdrawn', async () => {
  const team = await openTeam(stack)
  const group = await team.newGroup()
  const [pia, ben, eve] = await Promise.all([team.newMember(group), team.newMember(group), stack.newUser()])
  const { project } = await pia.call('projects.create', {
    body: { name: 'Wholesale 2027', instructions: 'Say amber.' },
  })

  const { page } = await signedInPage(stack, {}, pia)
  await page.goto(`/projects/${project.id}`)
  await page.getByRole('link', { name: 'Publish' }).click()
  await page.getByRole('heading', { level: 1, name: 'Publish' }).waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Order desk')
  await page.getByRole('textbox', { name: 'What is it for?' }).fill('Prices and delivery weeks.')
  await page.getByRole('button', { name: 'Add a starter' }).press('Enter')
  await page.keyboard.type('What does a hotel pay?')
  const choose = (name: string, buffer: Buffer) =>
    page.getByLabel('Picture', { exact: true }).setInputFiles({ name, mimeType: 'image/png', buffer })
  await choose('logo.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await page.getByRole('alert').getByText('not a PNG, JPEG or WebP image').waitFor()
  await choose('logo.png', pngOf(300, 200))
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await preview.locator('img').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  // without an audience it is not sent
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await page.getByText('Please choose a group, or everyone.').waitFor()
  await page.getByRole('button', { name: group }).click()
  await preview.getByText('Your instructions, 10 characters.').waitFor()
  await preview.getByText('What does a hotel pay?').waitFor()
  await checkLooks(page, 'publish')
  expect(await findCoveredByTab(page)).toEqual([])
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await page.waitForURL(/\/assistants\//)

  const { page: member } = await signedInPage(stack, {}, ben)
  const card = member.getByRole('link', { name: 'Order desk' })
  await card.getByText(`${pia.name} · version 1`).waitFor()
  await card.getByText('Prices and delivery weeks.').waitFor()
  await expect.poll(() => readPicture(card)).toEqual([256, 256])
  await checkLooks(member, 'new chat with assistants')
  await card.click()
  await member.getByRole('heading', { level: 1, name: 'Order desk' }).waitFor()
  await member.getByText('version 1 · your messages stay yours').waitFor()
  await checkLooks(member, 'assistant')
  await member.getByRole('button', { name: 'What does a hotel pay?' }).click()
  await member.waitForURL(/\/\?c=/)
  await waitForReplyEnd(member)
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('Say amber.')
  await expect
    .poll(() => readPicture(member.getByRole('link', { name: 'Assistant: Order desk' })))
    .toEqual([256, 256])

  const { page: stranger } = await signedInPage(stack, {}, eve)
  await openHistory(stranger)
  await stranger.getByRole('heading', { name: 'Projects' }).waitFor()
  expect(await teamLink(stranger).count()).toBe(0)
  await stranger.goto(new URL(page.url()).pathname)
  await stranger.getByText('There is no such assistant here.').waitFor()

  await page.getByRole('link', { name: 'Publish a new version' }).click()
  await page.getByRole('button', { name: 'Remove the picture' }).click()
  await expect.poll(() => page.locator('main img').count()).toBe(0)
  await page.getByRole('textbox', { name: 'What is new in version 2?' }).fill('Prices of 2027')
  await page.getByRole('button', { name: 'Publish version 2' }).click()
  await page.waitForURL(/\/assistants\//)
  await sendMessage(member, 'And now?')
  await waitForReplyEnd(member)
  await member.getByText(/new version of the assistant Order desk.*Prices of 2027/).waitFor()

  await page.getByRole('link', { name: 'Publish a new version' }).click()
  await page.getByText('used 1 time').waitFor()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await page.waitForURL(/\/projects\/[^/]+$/)
  await sendMessage(member, 'Still there?')
  await waitForReplyEnd(member)
  await member.getByText('The assistant Order desk is not available to you any more.').waitFor()
  expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('Say amber.')
  await member.reload()
  await member.getByText('Goes on without Order desk').waitFor()
})

it('a copy says whose its instructions are until they are saved as they are', async () => {
  const team = await openTeam(stack)
  const group = await team.newGroup()
  const [pia, ben] = await Promise.all([team.newMember(group), team.newMember(group)])
  const { publish } = publishingFor(group)
  const { id } = await publish(pia, { name: 'Order desk', may_copy: true })
  const { page } = await signedInPage(stack, {}, ben)
  await page.goto(`/assistants/${id}`)
  await page.getByRole('button', { name: 'Copy to my projects' }).click()
  const note = page.getByText('These instructions come from “Order desk”, an assistant of somebody else.')
  await note.waitFor()
  await screenshotEachLook(page, 'copied-project')
  await page.getByRole('button', { name: 'Edit the instructions' }).click()
  await page.getByRole('textbox', { name: 'Instructions' }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await note.waitFor({ state: 'detached' })
  // the list of administrators has those of all tests
  await pia.call('assistants.withdraw', { params: { assistantId: id } })
})

it('administrators see and withdraw all assistants', async () => {
  const team = await openTeam(stack)
  const ann = await stack.newUser()
  const { project } = await ann.call('projects.create', { body: { name: 'Roast planner' } })
  await ann.call('assistants.publish', { params: { projectId: project.id }, body: { audience: 'everyone' } })
  const { page } = await signedInPage(stack, {}, team.admin)
  await page.goto('/admin/assistants')
  await page.getByText('Everyone here · version 1 since').waitFor()
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect(await findViolations(page, ...rules)).toEqual([])
    await screenshot(page, `assistants of the administration (${look})`)
  })
  await page.getByRole('button', { name: 'Withdraw Roast planner' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('None yet. People publish on the page of a project.').waitFor()
})
