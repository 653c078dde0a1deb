/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { checkLooks } from '../support/check-looks.ts'
import { expectFailures } from '../support/browser.ts'
import {
  composer,
  openHistory,
  sendMessage,
  signedInPage,
  waitForFocus,
  waitForReplyEnd,
  undoButton,
} from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import { settled } from '../support/settled.ts'

const { model, stack } = await scriptedStack('Fine.')

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

const projectComposer = (page: Page, name: string) => page.getByPlaceholder(`Ask about ${name}…`)

async function openMenu(page: Page, name: string, item: string) {
  await page.getByRole('button', { name: `More for ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function editInstructions(page: Page, text: string) {
  await page.getByRole('button', { name: 'Edit the instructions' }).click()
  const field = page.getByRole('textbox', { name: 'Instructions' })
  await waitForFocus(field)
  await field.fill(text)
}

it('a project is made with the keyboard; its chats have its instructions and files, and stay when it is deleted', async () => {
  const { page, user } = await signedInPage(stack)
  await openHistory(page)
  await page.getByRole('button', { name: 'New project' }).click()
  await waitForFocus(dialog(page, 'New project').getByRole('textbox', { name: 'Name' }))
  await page.keyboard.type('Thesis')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Thesis' }).waitFor()

  await editInstructions(page, 'Answer in French.')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await page.getByText('Answer in French.').waitFor()
  await waitForFocus(page.getByRole('button', { name: 'Edit the instructions' }))

  await page.getByLabel('Files to add to the project').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('The code is 4711.'),
  })
  await page.getByRole('button', { name: 'Remove notes.txt from the project' }).waitFor()
  // a chat that starts earlier does not have its text
  await page.getByText('is being read').waitFor({ state: 'detached' })
  await checkLooks(page, 'project')

  await projectComposer(page, 'Thesis').fill('What is the code?')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/\?c=/)
  await waitForReplyEnd(page)
  expect(JSON.stringify(model.requests[0]?.messages)).toMatch(/Answer in French.*4711/)
  await page.getByRole('link', { name: 'Project: Thesis' }).click()
  await page.getByRole('link', { name: /^What is the code\?/ }).waitFor()

  // unsaved changes do not keep a project that is deleted
  await editInstructions(page, 'Not saved')
  await openMenu(page, 'Thesis', 'Delete project')
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

it('a temporary chat ends after a question on the way to a project, whose chats are ordinary ones', async () => {
  const { page } = await signedInPage(stack)
  await page.getByRole('button', { name: 'Temporary chat' }).click()
  await sendMessage(page, 'Nobody writes this down')
  await waitForReplyEnd(page)
  await openHistory(page)
  await page.getByRole('button', { name: 'New project' }).click()
  await waitForFocus(dialog(page, 'New project').getByRole('textbox', { name: 'Name' }))
  await page.keyboard.type('Roast')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await projectComposer(page, 'Roast').fill('What is stored?')
  await page.keyboard.press('Enter')
  await waitForReplyEnd(page)
  expect(await page.content()).not.toContain('Nobody writes this down')
  const chat = page.url()
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

it('what is typed on the page of a project stays there: message, name and instructions', async () => {
  const { page, user } = await signedInPage(stack)
  const create = async (name: string) => (await user.call('projects.create', { body: { name } })).project
  const [lyon, oslo] = [await create('Lyon'), await create('Oslo')]
  await page.goto(`/projects/${lyon.id}`)
  await projectComposer(page, 'Lyon').fill('Half a thought')
  await editInstructions(page, 'Half an instruction')
  await openMenu(page, 'Lyon', 'Rename')
  const name = page.getByRole('textbox', { name: 'Name' })
  await waitForFocus(name)
  await name.fill('Lyon and')
  await openHistory(page)
  await page.getByRole('link', { name: 'Oslo' }).click()
  // neither asked nor taken along
  await expect.poll(() => projectComposer(page, 'Oslo').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Edit the instructions' }).waitFor()
  await page.goBack()
  await expect.poll(() => projectComposer(page, 'Lyon').inputValue()).toBe('Half a thought')
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Instructions' }).inputValue())
    .toBe('Half an instruction')
  await expect.poll(() => name.inputValue()).toBe('Lyon and')
  await name.fill(' ')
  await name.press('Enter')
  await page.getByText('Please enter a name.').waitFor()
  await name.press('Escape')
  await name.waitFor({ state: 'detached' })
  await waitForFocus(page.getByRole('button', { name: 'More for Lyon' }))
  await openMenu(page, 'Lyon', 'Rename')
  await name.fill('Lyon 2027')
  await name.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Lyon 2027' }).waitFor()
  // Escape does not take a long text
  const instructions = page.getByRole('textbox', { name: 'Instructions' })
  await instructions.press('Escape')
  await expect.poll(() => instructions.inputValue()).toBe('Half an instruction')
  await page.goto(`/?p=${oslo.id}`)
  await page.waitForURL(`/projects/${oslo.id}`)
})

it('on the page of a project a message waits for the connection and its upload, and a chat is found again before it is stored', async () => {
  const { page, user } = await signedInPage(stack)
  const { project } = await user.call('projects.create', { body: { name: 'Lyon' } })
  const field = projectComposer(page, 'Lyon')
  await page.goto(`/projects/${project.id}`)
  await field.waitFor()
  await settled(page)
  expectFailures(page, { url: /\/(api|assets)\//, status: 'network' })
  await page.route('**/api/health', (route) => route.abort('internetdisconnected'))
  await page.context().setOffline(true)
  await field.fill('Written on a train')
  await page.getByText('You are offline. Messages can be sent when the connection is back.').waitFor()
  await field.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('Written on a train')
  await page.context().setOffline(false)
  await page.unroute('**/api/health')
  await page.getByText('You are offline.', { exact: false }).waitFor({ state: 'detached' })

  const isSent = Promise.withResolvers<void>()
  await page.route('**/chat', async (route) => {
    await isSent.promise
    await route.continue()
  })
  await field.press('Enter')
  await page.waitForURL('/?c=*')
  const chat = page.url()
  await page.goBack()
  await field.fill('Second thought')
  await page.goForward()
  await page.waitForURL(chat)
  await page.getByText('Written on a train').first().waitFor()
  isSent.resolve()
  await waitForReplyEnd(page)
  await page.goBack()
  await expect.poll(() => field.inputValue()).toBe('Second thought')

  const isUploaded = Promise.withResolvers<void>()
  await page.route('**/api/attachments*', async (route) => {
    if (route.request().method() === 'POST') await isUploaded.promise
    await route.continue()
  })
  await page
    .getByRole('region', { name: 'Your message' })
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('The code is 4711.') })
  await page.getByText('notes.txt').first().waitFor()
  await field.press('Enter')
  await page.getByRole('link', { name: 'Tools', exact: true }).click()
  await page.getByRole('textbox', { name: 'Search integrations' }).waitFor()
  isUploaded.resolve()
  await expect
    .poll(async () => (await user.call('sessions.list')).sessions.map((one) => [one.title, one.project_id]))
    .toContainEqual(['Second thought', project.id])
  await expect.poll(() => new URL(page.url()).pathname).toBe('/integrations')
})

it('a failed save keeps the text and says so; a project that is gone leads to the chat', async () => {
  const { page, user } = await signedInPage(stack)
  const { project } = await user.call('projects.create', { body: { name: 'Lyon' } })
  await page.goto(`/projects/${project.id}`)
  await editInstructions(page, 'Keep me')
  expectFailures(page, { url: /projects/, status: 503 })
  await page.route('**/api/projects/*', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
  )
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The project could not be saved').waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Instructions' }).inputValue()).toBe('Keep me')
  await page.unroute('**/api/projects/*')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Keep me').waitFor()
  await user.call('projects.delete', { params: { projectId: project.id } })
  expectFailures(page, { url: /projects/, status: 404 })
  await page.reload()
  await page.getByRole('link', { name: 'Back to the chat' }).click()
  await composer(page).waitFor()
})

it('two tabs that change the same instructions lose neither text', async () => {
  const { page, user } = await signedInPage(stack)
  const body = { id: crypto.randomUUID(), name: 'Shared' }
  const { project } = await user.call('projects.create', { body })
  const change = async (tab: Page, text: string) => {
    await tab.goto(`/projects/${project.id}`)
    await editInstructions(tab, text)
    return tab.getByRole('button', { name: 'Save', exact: true })
  }
  expectFailures(page, { url: /projects/, status: 409 })
  const saveMine = await change(page, 'Mine.')
  const other = await page.context().newPage()
  const saveTheirs = await change(other, 'Theirs.')
  await saveTheirs.click()
  await saveTheirs.waitFor({ state: 'detached' })
  await saveMine.click()
  await page.getByText(/changed elsewhere while you were editing/).waitFor()
  await page.getByText('Theirs.').waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Instructions' }).inputValue()).toBe('Mine.')
  await saveMine.click()
  await saveMine.waitFor({ state: 'detached' })
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
  await undoButton(page).click()
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
