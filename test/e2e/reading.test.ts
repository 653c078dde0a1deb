import { expect, it } from 'vitest'
import { newPage, screenshot } from '../support/browser.ts'
import { says } from '../support/fake-model-server.ts'
import { stackWithModel } from '../support/stack-with-model.ts'
import { composer, replyFinished, say, sendButton, signedInPage } from '../support/page-steps.ts'

const { model, stack } = await stackWithModel('Hello.', { OPENAI_MODEL: 'fake' })

it('CHAT-13 a reply that has ended is no failed request', async () => {
  const { page } = await signedInPage(stack)
  const failed: string[] = []
  const finished: string[] = []
  page.on('requestfailed', (request) => failed.push(request.url()))
  page.on('requestfinished', (request) => finished.push(request.url()))
  await say(page, 'Hi')
  await page.getByText('Hello.', { exact: true }).waitFor()
  await replyFinished(page)
  await expect.poll(() => finished.filter((url) => url.endsWith('/chat-openai'))).toHaveLength(1)
  expect(failed).toEqual([])
})

/** Where the text of an element stands between the edges of its block. */
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

it('each paragraph of a reply begins at the side of its own language', async () => {
  model.behave(says('The menu of today:\n\nשלום עולם\n\n- one\n- مرحبا'))
  const { page } = await signedInPage(stack)
  await say(page, 'Hi')
  await page.getByText('שלום עולם').waitFor()
  await replyFinished(page)
  const [latin, hebrew, arabic] = [
    await page.evaluate(spaces, 'The menu'),
    await page.evaluate(spaces, 'שלום'),
    await page.evaluate(spaces, 'مرحبا'),
  ]
  expect(latin?.left).toBeLessThan(2)
  expect(hebrew?.right).toBeLessThan(2)
  expect(hebrew?.left).toBeGreaterThan(100)
  expect(arabic?.right).toBeLessThan(2)
})

it.each([
  ['wide, light', {}],
  ['phone, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const }],
])('what is cut at the edge of a reply shows that it scrolls: %s', async (name, look) => {
  const cells = (cell: string) => `|${`${cell}|`.repeat(14)}`
  model.behave(
    says(
      `${cells('A long heading')}\n${cells('---')}\n${cells('value')}\n\n\`\`\`js\nconst line = '${'long '.repeat(60)}'\n\`\`\``,
    ),
  )
  const { page } = await signedInPage(stack, look)
  await say(page, 'Hi')
  await page.getByRole('group', { name: 'Table' }).waitFor()
  await replyFinished(page)
  for (const region of ['Table', 'JavaScript']) {
    const attachment = await page
      .getByRole('group', { name: region })
      .evaluate((element) => getComputedStyle(element).backgroundAttachment)
    expect(attachment).toBe('local, local, scroll, scroll')
  }
  await screenshot(page, `scroll hints ${name}`)
})

it('CHAT-11 CHAT-22 shows the mark once while it thinks', async () => {
  const pending = Promise.withResolvers<void>()
  model.behave((...exchange) => {
    void pending.promise.then(() => says('Done.')(...exchange))
  })
  const { page } = await signedInPage(stack)
  await say(page, 'Hi')
  await page.getByText('Juno is thinking...').waitFor()
  await page.getByText('Juno is replying. You can send when the reply is done').waitFor()
  await screenshot(page, 'thinking')
  expect(await page.getByRole('main').locator('svg circle.animate-orbit').count()).toBe(1)
  pending.resolve()
  await page.getByText('Done.', { exact: true }).waitFor()
  await sendButton(page).waitFor()
})

it('NAV-10 a loading screen whose parts do not arrive offers to load the page again', async () => {
  const page = await newPage({ baseURL: stack.origin })
  let asked = 0
  // the first request is never answered
  await page.route('**/assets/auth-page-*.js', (route) => ((asked += 1) === 1 ? undefined : route.continue()))
  await page.goto('/auth', { waitUntil: 'commit' })
  const reload = page.getByRole('link', { name: 'Reload the page' })
  await page.locator('.show-late').waitFor({ state: 'attached' })
  // before its styles have arrived everything can be seen
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

it('a message can be written while the list of conversations was open', async () => {
  const { page } = await signedInPage(stack)
  await page.getByRole('button', { name: 'Your Conversations' }).click()
  await page.getByRole('button', { name: 'Start Fresh Chat' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.type('Typed at once')
  expect(await composer(page).inputValue()).toBe('Typed at once')
})
