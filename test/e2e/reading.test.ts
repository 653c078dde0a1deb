/** @module-tag long */
import { expect, it } from 'vitest'
import { forEachSizeAndTheme, newPage, screenshot } from '../support/browser.ts'
import { says } from '../support/fake-model-server.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import { storeTurns } from '../support/store-turns.ts'
import {
  composer,
  waitForReplyEnd,
  sendMessage,
  sendButton,
  sharePage,
  signedInPage,
} from '../support/page-steps.ts'

const { model, stack, table } = await scriptedStack('Hello.')
const sharedPage = sharePage(() => signedInPage(stack))

it('CHAT-13 following a reply to its end leaves no failed request', async () => {
  const { page } = await sharedPage()
  const failed: string[] = []
  const finished: string[] = []
  page.on('requestfailed', (request) => failed.push(request.url()))
  page.on('requestfinished', (request) => finished.push(request.url()))
  await sendMessage(page, 'Hi')
  await page.getByText('Hello.', { exact: true }).waitFor()
  await waitForReplyEnd(page)
  await expect.poll(() => finished.filter((url) => url.endsWith('/chat-openai'))).toHaveLength(1)
  expect(failed).toEqual([])
})

/** The position of an element's text between the edges of its block. */
const spaces = (text: string) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const block = node.parentElement
    if (!node.textContent?.startsWith(text) || !block) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const [inner, outer] = [range.getBoundingClientRect(), block.getBoundingClientRect()]
    return { left: inner.left - outer.left, right: outer.right - inner.right }
  }
  return undefined
}

it('each paragraph of a reply has the direction of its own language', async () => {
  model.behave(says('The menu of today:\n\nשלום עולם\n\n- one\n- مرحبا'))
  const { page } = await sharedPage()
  await sendMessage(page, 'Hi')
  await page.getByText('שלום עולם').waitFor()
  await waitForReplyEnd(page)
  // a finished reply is rendered once more
  const measureSpaces = async (text: string) => (await page.waitForFunction(spaces, text)).jsonValue()
  const [latin, hebrew, latinItem, arabicItem] = [
    await measureSpaces('The menu'),
    await measureSpaces('שלום'),
    await measureSpaces('one'),
    await measureSpaces('مرحبا'),
  ]
  expect(latin?.left).toBeLessThan(2)
  expect(hebrew?.right).toBeLessThan(2)
  expect(hebrew?.left).toBeGreaterThan(100)
  // an item stands beside its marker, which is on the side of its list
  expect(arabicItem?.left).toBeCloseTo(latinItem?.left ?? NaN, 0)
})

it('content that is cut off at the edge of a reply shows that it scrolls', async () => {
  const cells = (cell: string) => `|${`${cell}|`.repeat(14)}`
  model.behave(
    says(
      `${cells('A long heading')}\n${cells('---')}\n${cells('value')}\n\n\`\`\`js\nconst line = '${'long '.repeat(60)}'\n\`\`\``,
    ),
  )
  const { page } = await sharedPage()
  await sendMessage(page, 'Hi')
  await page.getByRole('group', { name: 'Table' }).waitFor()
  await waitForReplyEnd(page)
  await forEachSizeAndTheme(page, async (look) => {
    for (const region of ['Table', 'JavaScript']) {
      const attachment = await page
        .getByRole('group', { name: region })
        .evaluate((element) => getComputedStyle(element).backgroundAttachment)
      expect(attachment).toBe('local, local, scroll, scroll')
    }
    await screenshot(page, `scroll hints ${look}`)
  })
})

it('only scrollable content is a tab stop', async () => {
  model.behave(says('|a|b|\n|-|-|\n|1|2|\n\n```js\n' + 'long '.repeat(60) + '\n```\n\n$$x^2$$'))
  const { page } = await sharedPage()
  await sendMessage(page, 'Hi')
  await waitForReplyEnd(page)
  await page.locator('.katex').waitFor()
  const stops = () =>
    page.evaluate(() =>
      ['Table', 'JavaScript', 'Formula'].map(
        (name) => document.querySelector<HTMLElement>(`[role="group"][aria-label="${name}"]`)?.tabIndex,
      ),
    )
  await expect.poll(stops).toEqual([-1, 0, -1])
  await page.getByRole('button', { name: 'Wrap lines' }).click()
  await expect.poll(stops).toEqual([-1, -1, -1])
})

it('the text on the screen stays in place when earlier messages are loaded above it, without the browser’s help', async () => {
  const user = await stack.newUser()
  const sessionId = await storeTurns(table, user, 17, (turn) => [
    `Message ${turn - 1}`,
    'line\n\n'.repeat(40),
  ])
  // like Safari before 27
  const { page } = await signedInPage(stack, {}, user)
  await page.addInitScript(() => {
    const { supports } = CSS
    CSS.supports = (property: string, value?: string) =>
      property !== 'overflow-anchor' && (value === undefined ? supports(property) : supports(property, value))
  })
  await page.goto(`/?c=${sessionId}`)
  await page.addStyleTag({ content: '* { overflow-anchor: none !important }' })
  await page.getByText('Message 16', { exact: true }).waitFor()
  const oldest = page.getByText('Message 2', { exact: true })
  await oldest.waitFor()
  expect(await page.getByText('Message 0', { exact: true }).count()).toBe(0)
  await oldest.scrollIntoViewIfNeeded()
  await page.getByText('Message 0', { exact: true }).waitFor({ state: 'attached' })
  const isOnScreen = () =>
    oldest.evaluate((element) => {
      const { top } = element.getBoundingClientRect()
      return top > 0 && top < innerHeight
    })
  await expect.poll(isOnScreen).toBe(true)
})

it('CHAT-11 CHAT-22 shows the mark once while it thinks', async () => {
  const pending = Promise.withResolvers<void>()
  model.behave((...exchange) => {
    void pending.promise.then(() => says('Done.')(...exchange))
  })
  const { page } = await sharedPage()
  await sendMessage(page, 'Hi')
  await page.getByText('Juno is thinking...').waitFor()
  await page.getByText('Juno is replying. Your next message waits for the end').waitFor()
  await screenshot(page, 'thinking')
  await expect.poll(() => page.getByRole('main').locator('svg circle.animate-orbit').count()).toBe(1)
  pending.resolve()
  await page.getByText('Done.', { exact: true }).waitFor()
  await sendButton(page).waitFor()
})

it('NAV-10 a loading screen whose parts do not arrive offers to reload the page', async () => {
  const page = await newPage({ baseURL: stack.origin })
  let requestCount = 0
  // the first request never gets a response
  await page.route('**/assets/auth-page-*.js', (route) =>
    (requestCount += 1) === 1 ? undefined : route.continue(),
  )
  await page.goto('/auth', { waitUntil: 'commit' })
  const reload = page.getByRole('link', { name: 'Reload the page' })
  await page.locator('.show-late').waitFor({ state: 'attached' })
  // without styles everything is visible
  await expect.poll(() => reload.count()).toBe(0)
  // instead of the 15 s
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      const isLate = animation instanceof CSSAnimation && animation.animationName === 'show-late'
      if (isLate) animation.finish()
    }
  })
  await reload.waitFor()
  await reload.click()
  await page.getByLabel('E-mail').waitFor()
})

it('a message can be typed in the moment the list of conversations has closed', async () => {
  const { page } = await sharedPage()
  await page.getByRole('button', { name: 'Your Conversations' }).click()
  await page.getByRole('button', { name: 'Start Fresh Chat' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.type('Typed at once')
  await expect.poll(() => composer(page).inputValue()).toBe('Typed at once')
})
