/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { waitForReplyEnd, sendMessage, sharePage, signedInPage } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

/* What screen readers announce on their own: each event once. */

const stack = await demoStack()
const sharedPage = sharePage(() => signedInPage(stack))

/**
 * In the page: records what live regions announce from now on. A region is the nearest element with `aria-live`, or with a role that
 * implies it; of a status or an alert the whole text is announced, of other regions only what was added.
 */
function recordAnnouncements() {
  const told: string[] = []
  Object.assign(globalThis, { told })
  const selector = '[aria-live], [role=status], [role=alert]'
  const isLive = (region: Element) =>
    (region.getAttribute('aria-live') ?? (region.hasAttribute('role') ? 'polite' : 'off')) !== 'off'
  new MutationObserver((changes) => {
    const atOnce = new Map<Node, string>()
    for (const { target, addedNodes, type } of changes) {
      for (const node of type === 'childList' ? addedNodes : [target]) {
        const element = node instanceof Element ? node : node.parentElement
        const inside = node instanceof Element ? [...node.querySelectorAll(selector)] : []
        const around = element?.closest(selector)
        for (const region of around ? [around, ...inside] : inside) {
          if (!isLive(region) || !region.isConnected) continue
          const isWhole = region.matches('[role=status], [role=alert]')
          const source = isWhole || inside.includes(region) ? region : node
          atOnce.set(isWhole ? region : source, source.textContent?.trim() ?? '')
        }
      }
    }
    told.push(...[...atOnce.values()].filter((text) => text !== ''))
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
}
const readAnnouncements = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { told: string[] }).told)
/** How often a text was announced, once it was announced at all. */
async function countAnnouncements(page: Page, text: string): Promise<number> {
  const count = async () => (await readAnnouncements(page)).filter((told) => told.includes(text)).length
  await expect.poll(count).toBeGreaterThan(0)
  // a second announcement would come from another region in the same moment
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  return count()
}

it('the start and end of a reply are announced once each, and its text never', async () => {
  const { page } = await sharedPage()
  await page.getByRole('region', { name: 'Notifications' }).waitFor({ state: 'attached' })
  await page.evaluate(recordAnnouncements)
  await sendMessage(page, '/markdown')
  await page.getByText('The small print').waitFor()
  await waitForReplyEnd(page)
  await expect.poll(() => countAnnouncements(page, 'Juno is thinking...')).toBe(1)
  await expect.poll(() => countAnnouncements(page, 'Reply started')).toBe(1)
  await expect.poll(() => countAnnouncements(page, 'Reply finished')).toBe(1)
  expect((await readAnnouncements(page)).filter((text) => text.includes('Old town'))).toEqual([])

  // a second reply is announced as well
  await sendMessage(page, '/echo Once more.')
  await waitForReplyEnd(page)
  await expect
    .poll(async () => (await readAnnouncements(page)).filter((text) => text === 'Reply finished'))
    .toHaveLength(2)
})

it('copying is announced once per click', async () => {
  const { page } = await sharedPage()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await sendMessage(page, '/markdown')
  await waitForReplyEnd(page)
  await page.evaluate(recordAnnouncements)
  const copies = page.getByRole('button', { name: /^(Copy code|Copied)$/ }).first()
  const countCopied = async () => (await readAnnouncements(page)).filter((text) => text === 'Copied').length
  await copies.click()
  await expect.poll(countCopied).toBe(1)
  await copies.click()
  await expect.poll(countCopied).toBe(2)
  await page.getByRole('button', { name: 'Copy reply' }).click()
  await expect.poll(countCopied).toBe(3)
})

it('a finished upload is announced once, and its progress never', async () => {
  const { page } = await sharedPage()
  await page.getByRole('region', { name: 'Notifications' }).waitFor({ state: 'attached' })
  await page.evaluate(recordAnnouncements)
  await page
    .getByLabel('Files to attach')
    .setInputFiles({ name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.alloc(1536, 'a,b\n') })
  await expect.poll(() => countAnnouncements(page, 'table.csv')).toBe(1)
  expect((await readAnnouncements(page)).filter((text) => /uploading|checking/.test(text))).toEqual([])
})

it('a toast is announced once', async () => {
  const { page } = await sharedPage()
  await page.getByRole('region', { name: 'Notifications' }).waitFor({ state: 'attached' })
  await page.evaluate(recordAnnouncements)
  await page
    .getByLabel('Files to attach')
    .setInputFiles({ name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) })
  await expect.poll(() => countAnnouncements(page, 'Not attached')).toBe(1)
})

it('a failed reply is announced once, by its toast, and not as finished', async () => {
  const { page } = await sharedPage()
  await page.getByRole('region', { name: 'Notifications' }).waitFor({ state: 'attached' })
  await page.evaluate(recordAnnouncements)
  await sendMessage(page, '/fail')
  await page.getByRole('group', { name: 'Error' }).getByRole('button', { name: 'Retry' }).waitFor()
  await expect.poll(() => countAnnouncements(page, 'Chat Error')).toBe(1)
  expect((await readAnnouncements(page)).filter((text) => text.includes('Retry'))).toEqual([])
  expect((await readAnnouncements(page)).filter((text) => text === 'Reply finished')).toEqual([])
})
