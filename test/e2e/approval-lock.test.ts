import { expect, it } from 'vitest'
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
