import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { expectFailures, forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import { findCutOffElements } from '../support/layout-faults.ts'
import {
  composer,
  openHistory,
  sendMessage,
  signedInPage,
  waitForFocus,
  waitForReplyEnd,
} from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { model, stack } = await scriptedStack('Fine.')

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

async function checkLooks(page: Page, name: string) {
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect(await findViolations(page, ...rules)).toEqual([])
    expect(await findCutOffElements(page)).toEqual([])
    await screenshot(page, `${name} (${look})`)
  })
}

it('a project is made with the keyboard; its chats have its instructions and files, and stay when it is deleted', async () => {
  const { page, user } = await signedInPage(stack)
  await openHistory(page)
  await page.getByRole('button', { name: 'New project' }).click()
  await waitForFocus(dialog(page, 'New project').getByRole('textbox', { name: 'Name' }))
  await page.keyboard.type('Thesis')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Thesis' }).waitFor()

  await page.getByRole('button', { name: 'Project settings' }).click()
  const settings = dialog(page, 'Project settings')
  await settings.getByRole('textbox', { name: /^Instructions/ }).fill('Answer in French.')
  await checkLooks(page, 'project settings')
  await settings.getByRole('button', { name: 'Save', exact: true }).click()
  await settings.waitFor({ state: 'detached' })
  await page.getByText('Answer in French.').waitFor()

  await page.getByLabel('Files to add to the project').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('The code is 4711.'),
  })
  await page.getByRole('button', { name: 'Remove notes.txt from the project' }).waitFor()
  // a chat that starts earlier does not have its text
  await page.getByText('is being read').waitFor({ state: 'detached' })
  await checkLooks(page, 'project')

  await page.getByRole('link', { name: 'New chat in this project' }).click()
  await page.getByRole('link', { name: 'Project: Thesis' }).waitFor()
  await sendMessage(page, 'What is the code?')
  await waitForReplyEnd(page)
  expect(JSON.stringify(model.requests[0]?.messages)).toMatch(/Answer in French.*4711/)
  await page.getByRole('link', { name: 'Project: Thesis' }).click()
  await page.getByRole('link', { name: /^What is the code\?/ }).waitFor()

  await page.getByRole('button', { name: 'Project settings' }).click()
  // unsaved changes do not keep a project that is deleted
  await settings.getByRole('textbox', { name: 'Name' }).fill('Not saved')
  await page.keyboard.press('Escape')
  await settings.getByText('Your changes are not saved yet.').waitFor()
  await settings.getByRole('button', { name: 'Delete project' }).click()
  const deletion = dialog(page, 'Delete “Thesis”?')
  await expect
    .poll(() => deletion.getByRole('radio', { name: 'Keep them, without a project' }).isChecked())
    .toBe(true)
  await checkLooks(page, 'delete project')
  await deletion.getByRole('button', { name: 'Delete project' }).click()
  await composer(page).waitFor()
  const { sessions } = await user.call('sessions.list')
  expect(sessions).toMatchObject([{ title: 'What is the code?' }])
  expect(sessions[0]).not.toHaveProperty('project_id')
})

it('a new chat in a project ends a temporary one after a question, and pages without a chat lead back to it', async () => {
  const { page } = await signedInPage(stack)
  await page.getByRole('button', { name: 'Temporary chat' }).click()
  await sendMessage(page, 'Nobody writes this down')
  await waitForReplyEnd(page)
  await openHistory(page)
  await page.getByRole('button', { name: 'New project' }).click()
  await waitForFocus(dialog(page, 'New project').getByRole('textbox', { name: 'Name' }))
  await page.keyboard.type('Roast')
  await page.keyboard.press('Enter')
  // the project's page, like each other page, is none of the chat
  const leave = page.getByRole('dialog').getByRole('button', { name: 'Leave' })
  await leave.click()
  await page.getByRole('link', { name: 'New chat in this project' }).click()
  await page.getByRole('link', { name: 'Project: Roast' }).waitFor()
  expect(await page.content()).not.toContain('Nobody writes this down')
  await sendMessage(page, 'What is stored?')
  await waitForReplyEnd(page)
  const chat = page.url()

  await page.getByRole('link', { name: 'Project: Roast' }).click()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.waitForURL(chat)
  for (const path of ['/integrations', '/settings']) {
    await page.goto(path)
    await page
      .getByRole('button', { name: /^Back/ })
      .or(page.getByRole('link', { name: /^Back/ }))
      .first()
      .click()
    await page.waitForURL(chat)
    await page.getByText('What is stored?').first().waitFor()
  }
})

it('two tabs that change the same instructions lose neither text', async () => {
  const { page, user } = await signedInPage(stack)
  const body = { id: crypto.randomUUID(), name: 'Shared' }
  const { project } = await user.call('projects.create', { body })
  const openSettings = async (tab: Page) => {
    await tab.goto(`/projects/${project.id}`)
    await tab.getByRole('button', { name: 'Project settings' }).click()
    return dialog(tab, 'Project settings')
  }
  expectFailures(page, { url: /projects/, status: 409 })
  const mine = await openSettings(page)
  await mine.getByRole('textbox', { name: /^Instructions/ }).fill('Mine.')
  const theirs = await openSettings(await page.context().newPage())
  await theirs.getByRole('textbox', { name: /^Instructions/ }).fill('Theirs.')
  await theirs.getByRole('button', { name: 'Save', exact: true }).click()
  await theirs.waitFor({ state: 'detached' })
  await mine.getByRole('button', { name: 'Save', exact: true }).click()
  await mine.getByText(/changed elsewhere while you were editing/).waitFor()
  await mine.getByText('Theirs.').waitFor()
  await expect.poll(() => mine.getByRole('textbox', { name: /^Instructions/ }).inputValue()).toBe('Mine.')
  await mine.getByRole('button', { name: 'Save', exact: true }).click()
  await mine.waitFor({ state: 'detached' })
  expect((await user.call('projects.read', { params: { projectId: project.id } })).project.instructions).toBe(
    'Mine.',
  )
})

it('a conversation is moved to a project from its menu', async () => {
  const { page, user } = await signedInPage(stack)
  const { project } = await user.call('projects.create', { body: { name: 'Lyon' } })
  await sendMessage(page, 'Hello')
  await waitForReplyEnd(page)
  await openHistory(page)
  await page.getByRole('button', { name: 'More for Hello' }).click()
  await page.getByRole('menuitem', { name: 'Move to project…' }).click()
  const move = dialog(page, 'Move to project')
  await move.getByLabel('Project').selectOption('Lyon')
  await checkLooks(page, 'move to project')
  await move.getByRole('button', { name: 'Move', exact: true }).click()
  await move.waitFor({ state: 'detached' })
  await expect.poll(async () => (await user.call('sessions.list')).sessions[0]?.project_id).toBe(project.id)
  await page.locator('[data-session]').getByText('Lyon').waitFor()
  await checkLooks(page, 'projects in the panel')
})

it('prompts of a project are added, edited and deleted, which can be undone', async () => {
  const { page, user } = await signedInPage(stack)
  const { project } = await user.call('projects.create', { body: { name: 'Lyon' } })
  const listPrompts = async () => (await user.call('prompts.list')).prompts
  await page.goto(`/projects/${project.id}`)
  await page.getByRole('button', { name: 'Add prompt' }).click()
  const addition = dialog(page, 'New prompt')
  await addition.getByRole('button', { name: 'Save' }).click()
  await addition.getByText('Please enter the text.').waitFor()
  await waitForFocus(addition.getByRole('textbox', { name: 'Name' }))
  await page.keyboard.type('Sum up')
  await addition.getByRole('textbox', { name: 'Text' }).fill('In one sentence:')
  await addition.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Edit Sum up' }).click()
  const edit = dialog(page, 'Edit prompt')
  await edit.getByRole('textbox', { name: 'Name' }).fill('Shorten')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete Shorten' }).click()
  await page.getByText('No saved prompts yet.').waitFor()
  expect(await listPrompts()).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Edit Shorten' }).waitFor()
  expect(await listPrompts()).toMatchObject([
    { name: 'Shorten', text: 'In one sentence:', project_id: project.id },
  ])
})

it('/ offers saved prompts, which the keyboard chooses, and an ordinary slash is sent', async () => {
  const { page, user } = await signedInPage(stack)
  for (const name of ['Sum up', 'Translate'])
    await user.call('prompts.create', { body: { name, text: `${name}: ` } })
  await composer(page).pressSequentially('/')
  const options = page.getByRole('listbox', { name: 'Saved prompts' }).getByRole('option')
  await expect.poll(() => options.count()).toBe(2)
  await checkLooks(page, 'saved prompts')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => composer(page).inputValue()).toBe('Translate:')
  await composer(page).fill('/t')
  await expect.poll(() => options.count()).toBeGreaterThan(0)
  await page.keyboard.press('Escape')
  await expect.poll(() => options.count()).toBe(0)
  await page.keyboard.press('Enter')
  await waitForReplyEnd(page)
  expect(model.requests.at(-1)?.messages.at(-1)?.content).toBe('/t')
})
