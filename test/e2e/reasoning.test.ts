/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import { beginStream, responseEvent, wireFormat, type ModelBehaviour } from '../support/fake-model-server.ts'
import { findCutOffElements } from '../support/layout-faults.ts'
import { composer, waitForReplyEnd, signedInPage, tabTo } from '../support/page-steps.ts'
import { stackWithModel } from '../support/stack-with-model.ts'

const { model, stack } = await stackWithModel('Hello.', { MODEL_API: 'responses' })

const thoughts = 'The user asks about **Rome**. Two sources agree.'
const cite = (url: string, title: string) =>
  responseEvent('output_text.annotation.added', { annotation: { type: 'url_citation', url, title } })

/** Reasons until `goOn` is called, then answers with two sources; one of them has an invalid address. */
function reasons() {
  const { promise, resolve: goOn } = Promise.withResolvers<void>()
  const behaviour: ModelBehaviour = async (response, request) => {
    const { text, end } = wireFormat(request)
    beginStream(response)
    const position = { item_id: 'rs', output_index: 0, summary_index: 0 }
    response.write(responseEvent('reasoning_summary_text.delta', { ...position, delta: thoughts }))
    await promise
    response.write(text('Rome is the capital of Italy.'))
    response.write(cite('https://rome.example/about', 'About Rome'))
    response.write(cite('javascript:alert(1)', 'Bad'))
    response.write(cite('https://italy.example/a-long-address-that-goes-on-and-on/and-on', 'Italy'))
    response.end(end())
  }
  return { behaviour, goOn }
}

const line = (page: Page, name: RegExp) => page.getByRole('button', { name })
const sources = (page: Page) => page.getByRole('region', { name: 'Sources' }).getByRole('link')

it('reasoning is a line that can be opened, during and after the reply, and sources are numbered links', async () => {
  const { page } = await signedInPage(stack)
  const { behaviour, goOn } = reasons()
  model.behave(behaviour)
  await composer(page).fill('Where is Rome?')
  await page.keyboard.press('Enter')
  const thinking = line(page, /^Thinking/)
  await thinking.waitFor()
  await expect.poll(() => thinking.getAttribute('aria-expanded')).toBe('false')
  await thinking.click()
  await page.getByText('Two sources agree.').waitFor()
  await screenshot(page, 'reasoning, thinking')
  goOn()
  await waitForReplyEnd(page)
  const thought = line(page, /^Thought for \d+ s$/)
  await thought.waitFor()
  await expect
    .poll(() => sources(page).evaluateAll((links) => links.map((link) => link.getAttribute('href'))))
    .toEqual([
      'https://rome.example/about',
      'https://italy.example/a-long-address-that-goes-on-and-on/and-on',
    ])
  await expect.poll(() => sources(page).first().getAttribute('rel')).toContain('noopener')

  await page.reload()
  await tabTo(page, thought)
  await page.keyboard.press('Enter')
  await page.getByText('Two sources agree.').waitFor()
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect(await findViolations(page, ...rules)).toEqual([])
    expect(await findCutOffElements(page)).toEqual([])
    await screenshot(page, `reasoning (${look})`)
  })
})
