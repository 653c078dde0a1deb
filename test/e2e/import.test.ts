import { strToU8, zipSync } from 'fflate'
import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { expectFailures, screenshotEachLook } from '../support/browser.ts'
import { png } from '../support/document-samples.ts'
import {
  chatGpt2023,
  chatGpt2024,
  chatGpt2026,
  chatGptWithoutMapping,
  claude2026,
} from '../support/export-samples.ts'
import { openHistory, signedInPage } from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import { openSettings } from '../support/settings-steps.ts'

const { stack } = await scriptedStack('Hello.')

const exportOf = (...conversations: unknown[]) => ({
  name: 'export.zip',
  mimeType: 'application/zip',
  buffer: Buffer.from(
    zipSync({
      'conversations.json': strToU8(JSON.stringify(conversations)),
      'file-UserPicture1-dog.png': new Uint8Array(png(60, 40)),
      'dalle-generations/file-Generated1-12345678.png': new Uint8Array(png(40, 60)),
      'user.json': strToU8('{"email":"CANARY"}'),
    }),
  ),
})
const choose = (page: Page, file: ReturnType<typeof exportOf>) =>
  page.getByLabel('Export of ChatGPT or Claude').setInputFiles(file)

it('imports an export with its pictures and branches, names what is left out, and undoes it', async () => {
  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  await choose(page, exportOf(chatGpt2023, chatGpt2024, chatGptWithoutMapping, chatGpt2026, claude2026))
  await page.getByRole('heading', { name: 'Import finished' }).waitFor()
  await page.getByText('4 conversations, 18 messages, 2 files', { exact: true }).waitFor()
  const leftOut = page.getByRole('list', { name: 'Left out' })
  await expect
    .poll(() => leftOut.getByRole('listitem').allInnerTexts())
    .toEqual(
      expect.arrayContaining([
        'Conversations that could not be read: 1',
        'Calls of tools: 3',
        'The file user.json',
        'Files that could not be read from the archive, or are larger than 20 MB: 3',
        'Parts of the kind “hologram”: 1',
      ]),
    )
  expect(await findViolations(page)).toEqual([])
  await screenshotEachLook(page, 'import-result')

  await page.getByRole('button', { name: 'Back' }).click()
  await openHistory(page)
  await page.getByRole('button', { name: /^Boiling eggs/ }).click()
  await page.getByText('About seven minutes.').waitFor()
  await page.getByText('And hard ones?').waitFor()
  expect(await page.getByText('ostrich').count()).toBe(0)

  const { sessions } = await user.call('sessions.list')
  const cat = sessions.find(({ archived }) => archived)
  const { messages } = await user.call('sessions.read', { params: { sessionId: cat?.id ?? '' } })
  expect(messages.map(({ attachments }) => attachments.map(({ name }) => name))).toEqual([
    ['dog.png'],
    ['file-Generated1-12345678.png'],
    [],
    [],
  ])

  await openSettings(page)
  // the same file again makes no copies
  await page.getByRole('button', { name: 'Import another file' }).click()
  await choose(page, exportOf(chatGpt2023, chatGpt2024, claude2026))
  await page.getByText('3 conversations are here already and stay as they are.').waitFor()
  expect((await user.call('sessions.list')).sessions).toHaveLength(4)
  expect((await user.call('files.list')).total).toBe(2)

  await page.getByRole('button', { name: /^Undo import: .*: 4 conversations$/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await page.getByText('Import undone').waitFor()
  expect((await user.call('sessions.list')).sessions).toEqual([])
  expect((await user.call('files.list')).total).toBe(0)
})

it('continues when the connection is back, and can be cancelled', async () => {
  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  const address = '**/api/imports'
  expectFailures(page, { url: /\/api\/imports$/, status: 'network' })
  const isList = (route: Route) => route.request().method() === 'GET'
  await page.route(address, (route) => (isList(route) ? route.fallback() : route.abort('connectionreset')))
  await choose(page, exportOf(chatGpt2023))
  await page.getByText('Waiting for the service. The import continues by itself.').waitFor()
  await page.getByRole('progressbar', { name: 'Progress of the import' }).waitFor()
  await page.unroute(address)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.getByText('1 conversation, 8 messages, 0 files', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Import another file' }).click()
  await page.route(address, (route) => (isList(route) ? route.fallback() : undefined))
  await choose(page, exportOf(chatGpt2026))
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'The import was cancelled.' }).waitFor()
  expect((await user.call('sessions.list')).sessions).toHaveLength(1)
})

it('says that a file is no export, and takes another one by drop', async () => {
  const { page } = await signedInPage(stack)
  await openSettings(page)
  await choose(page, { name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('PK nonsense') })
  await page.getByText('This file could not be read. Please download the export again.').waitFor()
  await page.getByRole('button', { name: 'Import another file' }).click()
  const data = await page.evaluateHandle(
    (json) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([json], 'conversations.json', { type: 'application/json' }))
      return transfer
    },
    JSON.stringify([chatGpt2023]),
  )
  const target = page.getByText('or drop it here')
  await target.dispatchEvent('dragover', { dataTransfer: data })
  await target.dispatchEvent('drop', { dataTransfer: data })
  await page.getByText('1 conversation, 8 messages, 0 files', { exact: true }).waitFor()
})
