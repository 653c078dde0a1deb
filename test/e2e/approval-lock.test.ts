/** @module-tag long */
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { screenshot } from '../support/browser.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { calls, says } from '../support/fake-model-server.ts'
import { sendMessage, signedInPage } from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { model, stack } = await scriptedStack('Both are done.')

const mailTo = (to: string, lines: number) => ({
  id: `call-${to}`,
  name: 'gmail_send_email',
  arguments: JSON.stringify({
    to,
    subject: 'Lunch',
    body: Array.from({ length: lines }, (_, index) => `Line ${index + 1}`).join('\n'),
  }),
})

it('impatient clicks on Approve approve one e-mail, not the next that moves under the pointer', async () => {
  const user = await stack.newUser()
  await connectProvider(stack, user, 'gmail')
  // the first card is higher than the second: its Approve is where the second's will be
  model.behave(calls(mailTo('ann@example.org', 6), mailTo('boss@example.org', 4)), says('Done.'))
  const { page } = await signedInPage(stack, { viewport: { width: 1440, height: 1300 } }, user)
  await sendMessage(page, 'Write to both')
  const approve = page.getByRole('button', { name: 'Approve', exact: true })
  await expect.poll(() => approve.count()).toBe(2)
  await page.locator('footer[aria-disabled]').first().waitFor({ state: 'detached' })
  const decisions: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/answer')) decisions.push(request.postDataJSON())
  })
  const box = await approve.first().boundingBox()
  if (!box) throw new Error('no button')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  // in the page, so that no click is late: in each frame, until the first card has become a line and the second has moved up
  const wasUnderPointer = await page.evaluate(
    ({ x, y }) =>
      new Promise<boolean>((resolve) => {
        let movedAtMs: number | undefined
        let isSeen = false
        const clickThere = () => {
          const line = [...document.querySelectorAll('p')].find((each) =>
            each.textContent.startsWith('Approved'),
          )
          if (line && !line.parentElement?.style.minHeight) movedAtMs ??= performance.now()
          const button = document.elementFromPoint(x, y)?.closest('button')
          if (movedAtMs !== undefined) isSeen ||= button?.textContent === 'Approve'
          button?.click()
          if (movedAtMs !== undefined && performance.now() - movedAtMs > 300) resolve(isSeen)
          else requestAnimationFrame(clickThere)
        }
        requestAnimationFrame(clickThere)
      }),
    { x: box.x + box.width / 2, y: box.y + box.height / 2 },
  )
  expect(wasUnderPointer).toBe(true)
  expect(decisions).toHaveLength(1)
  await expect.poll(() => approve.count()).toBe(1)
})

it.each([320, 390])(
  'on a phone of %i px a long e-mail is shown from its head, its buttons are in view, and repeat to whom it goes',
  async (width) => {
    const user = await stack.newUser()
    await connectProvider(stack, user, 'gmail')
    model.behave(calls(mailTo('orders@seeblick.example', 60)), says('Done.'))
    const phone = { viewport: { width, height: 664 } }
    const { page } = await signedInPage(stack, phone, user)
    await sendMessage(page, 'Write to them')
    const title = page.getByRole('heading', { level: 3, name: /with Gmail/ })
    const approve = page.getByRole('button', { name: 'Approve', exact: true })
    const line = page.getByText('To orders@seeblick.example', { exact: true })
    const topOf = (target: Locator) => target.evaluate((element) => element.getBoundingClientRect().top)
    const isUncovered = (target: Locator) =>
      target.evaluate((element) => {
        const { left, top, width: size, height } = element.getBoundingClientRect()
        return element.contains(document.elementFromPoint(left + size / 2, top + height / 2))
      })
    const scrollBy = (px: number) =>
      page.locator('main').evaluate((scroller, by) => void (scroller.scrollTop += by), px)
    await expect.poll(() => topOf(title)).toBeLessThan(130)
    await expect.poll(() => isUncovered(approve)).toBe(true)
    expect([await isUncovered(title), await line.count()]).toEqual([true, 0])
    await screenshot(page, `approval-head-${width}`)
    await scrollBy(400)
    await expect.poll(() => line.count()).toBe(1)
    expect([await isUncovered(line), await isUncovered(approve)]).toEqual([true, true])
    await screenshot(page, `approval-middle-${width}`)
    await scrollBy(10_000)
    const letterEnd = () =>
      page.getByText('Line 60').evaluate((letter) => letter.getBoundingClientRect().bottom)
    await expect
      .poll(async () => (await letterEnd()) <= (await topOf(page.locator('footer').last())))
      .toBe(true)
    await screenshot(page, `approval-end-${width}`)

    await page.goto('/waiting')
    const row = page.getByRole('heading', { level: 3, name: /orders@seeblick/ })
    await row.waitFor()
    await expect.poll(() => isUncovered(approve)).toBe(true)
    await scrollBy(600)
    const repeated = page.locator('footer').getByText('E-mail to orders@seeblick.example')
    await expect.poll(() => repeated.count()).toBe(1)
    expect([await isUncovered(repeated), await isUncovered(approve)]).toEqual([true, true])
    await screenshot(page, `waiting-middle-${width}`)
  },
)
