/** @module-tag long */
import { expect, it } from 'vitest'
import { screenshot } from '../support/browser.ts'
import { waitForReplyEnd, sendMessage, signedInPage } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

it('draws formulas with fonts from its own origin, loads the renderer with the first one, and scrolls wide ones inside their own box', async () => {
  const { page } = await signedInPage(stack)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const isOfRenderer = (url: string) => /katex/i.test(url)
  await sendMessage(page, '/echo It costs $5 and $10, or **$20**.')
  // the message itself is drawn by the same renderer
  await page.locator('.is-reply').getByText('It costs $5 and $10, or $20.').waitFor()
  await waitForReplyEnd(page)
  expect(asked.filter(isOfRenderer)).toEqual([])

  await sendMessage(page, '/markdown')
  await waitForReplyEnd(page)
  const formulas = page.locator('.katex')
  await formulas.nth(1).waitFor()
  await expect.poll(() => formulas.count()).toBe(2)
  await page.locator('.katex-display').scrollIntoViewIfNeeded()
  await expect
    .poll(() => asked.filter((url) => /KaTeX_\w+-[\w-]+\.woff2$/.test(url)).length)
    .toBeGreaterThan(0)
  const origins = new Set(asked.filter(isOfRenderer).map((url) => new URL(url).origin))
  expect([...origins]).toEqual([new URL(stack.origin).origin])
  await screenshot(page, 'formulas')

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 320, height: 640 })
  const long = Array.from({ length: 30 }, (_, index) => `x_{${index}}`).join(' + ')
  await sendMessage(page, `/echo $$${long}$$`)
  await formulas.nth(2).waitFor()
  await waitForReplyEnd(page)
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0)
  await screenshot(page, 'formulas-phone')
})

it('a formula covers nothing of the line before it', async () => {
  const { page } = await signedInPage(stack)
  const fake = String.raw`\colorbox{white}{\text{bank.example}}`
  const formulas = [
    String.raw`\llap{${fake}}`,
    String.raw`\mathllap{${fake}}`,
    String.raw`\kern{-7em}${fake}`,
    String.raw`\hspace{-7em}${fake}`,
    String.raw`a=\kern{-9em}${fake}`,
    String.raw`\kern{-7em}\textcolor{white}{\rule{7em}{1em}}`,
  ]
  const lines = formulas.map((tex) => `Log in: [https://bank.example](https://evil.example/)$${tex}$`)
  await sendMessage(page, `/echo ${lines.join('\n\n')}`)
  await waitForReplyEnd(page)
  const reply = page.locator('.is-reply')
  await expect.poll(() => reply.locator('.katex').count()).toBe(formulas.length)
  const readCovered = (elements: Element[]) =>
    elements.flatMap((element) => {
      const { left, width, top, height } = element.getBoundingClientRect()
      return [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((part) => {
        const shown = document.elementFromPoint(left + width * part, top + height / 2)
        return shown === element ? [] : (shown?.outerHTML ?? 'nothing')
      })
    })
  const parts = reply.locator('a, a ~ [data-not-copied]')
  await expect.poll(() => parts.count()).toBe(2 * formulas.length)
  await expect.poll(() => parts.evaluateAll(readCovered)).toEqual([])
})
