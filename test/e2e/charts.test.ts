import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, newPage, screenshot, takeProblems } from '../support/browser.ts'
import { says } from '../support/fake-model-server.ts'
import { findCutOffElements } from '../support/layout-faults.ts'
import { composer, sendMessage, sharePage, signedInPage, waitForReplyEnd } from '../support/page-steps.ts'
import { pausableReply } from '../support/pausable-reply.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { model, stack } = await scriptedStack('')
const sharedPage = sharePage(() => signedInPage(stack))

const frameSelector = 'iframe[src="/diagram/chart.html"]'
const drawing = (page: Page) => page.frameLocator(frameSelector).locator('main > svg')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const fence = (spec: object | string, language = 'vega-lite') =>
  `South is worst:\n\n\`\`\`${language}\n${typeof spec === 'string' ? spec : JSON.stringify(spec, null, 2)}\n\`\`\`\n\nDone.`

const regions = {
  title: 'Share of late orders by region',
  data: {
    values: [
      { region: 'South', share: 12.6 },
      { region: 'North', share: 6.3 },
      { region: 'Online', share: 2.2 },
    ],
  },
  mark: 'bar',
  encoding: {
    y: { field: 'region', type: 'nominal', title: null },
    x: { field: 'share', type: 'quantitative', title: 'Share, %' },
    color: { condition: { test: "datum.region === 'South'", value: 'accent' }, value: 'muted' },
  },
}

async function ask(page: Page, reply: string) {
  model.behave(says(reply))
  await sendMessage(page, 'Draw it')
  await waitForReplyEnd(page)
}

it(
  'a chart is drawn with its title, follows the theme and the width, and its data is a table',
  { tags: 'long' },
  async () => {
    const { page } = await sharedPage()
    await ask(page, fence(regions))
    await drawing(page).getByText('Online').waitFor()
    await page.getByRole('group', { name: 'Chart: Share of late orders by region' }).waitFor()
    await expect.poll(() => page.getByRole('group', { name: 'Vega-Lite' }).count()).toBe(0)
    await forEachSizeAndTheme(page, async (look, rules) => {
      await drawing(page)
        .locator(`path[fill="${look.includes('dark') ? '#aa9cf6' : '#5f49c5'}"]`)
        .waitFor()
      await screenshot(page, `chart-${look}`)
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
        .toBeLessThanOrEqual(0)
      expect(await findViolations(page, ...rules)).toEqual([])
      expect(await findCutOffElements(page)).toEqual([])
    })

    // the values of a mark
    await drawing(page).locator('path[aria-label*="South"]').hover()
    await page.frameLocator(frameSelector).getByText('region: South').waitFor()

    await button(page, 'Show as table').focus()
    await page.keyboard.press('Enter')
    const table = page.getByRole('table', { name: 'Chart: Share of late orders by region' })
    await table.getByRole('cell', { name: '12.6' }).waitFor()
    await page.getByText('3 rows').waitFor()
    expect(await page.locator(frameSelector).isVisible()).toBe(false)
    await screenshot(page, 'chart-table')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator(frameSelector).isVisible()).toBe(true)

    await button(page, 'Show code').click()
    await page.getByRole('group', { name: 'Vega-Lite' }).getByText('"region": "South"').waitFor()
    await button(page, 'Show code').click()
  },
)

it('is printed for paper, in the dark theme, too', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await ask(page, fence(regions))
  await drawing(page).getByText('Online').waitFor()
  const readFilter = () => page.locator(frameSelector).evaluate((frame) => getComputedStyle(frame).filter)
  await page.emulateMedia({ colorScheme: 'dark' })
  await drawing(page).locator('path[fill="#aa9cf6"]').waitFor()
  expect(await readFilter()).toBe('none')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect.poll(readFilter).toMatch(/hue-rotate\(180deg\).*invert\(1\)/)
  await page.emulateMedia({ media: null, colorScheme: 'light' })
  await drawing(page).locator('path[fill="#5f49c5"]').waitFor()
  await page.emulateMedia({ media: 'print', colorScheme: 'light' })
  await expect.poll(readFilter).toBe('none')
  await page.emulateMedia({ media: null })
})

it('is downloaded as PNG and as SVG, with its title', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await ask(page, fence(regions))
  await drawing(page).waitFor()
  const save = async (type: string) => {
    await button(page, 'Download').click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: type }).click()
    const file = await download
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
  }
  const svg = await save('SVG')
  expect(svg.name).toBe('Share-of-late-orders-by-region.svg')
  expect(svg.content.toString()).toMatch(
    /^<svg xmlns=.*>Share of late orders by region<\/text>.*>Online<\/text>/s,
  )
  const png = await save('PNG')
  expect(png.content.subarray(1, 4).toString()).toBe('PNG')
  // twice as wide as the drawing with its margins
  const width = /width="([\d.]+)"/.exec(svg.content.toString())?.[1]
  expect(png.content.readUInt32BE(16)).toBe(Math.floor(Number(width) * 2))
})

it('opens in the panel of previews, and its data as a table there', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await ask(page, fence(regions, 'vegalite'))
  await drawing(page).waitFor()
  const panel = page.getByRole('region', { name: 'Preview' })
  await button(page, 'Preview').click()
  await panel.frameLocator(frameSelector).getByText('Online').waitFor()
  await screenshot(page, 'chart-preview')
  expect(await findViolations(page)).toEqual([])
  await panel.getByRole('button', { name: 'Open as table' }).click()
  await panel.getByRole('columnheader', { name: 'region' }).waitFor()
  await panel.getByRole('cell', { name: '12.6' }).waitFor()
  await page.getByRole('button', { name: 'Close preview' }).click()
})

it('a shared conversation shows it to visitors', { tags: 'long' }, async () => {
  const user = await stack.newUser()
  const sessionId = crypto.randomUUID()
  model.behave(says(fence(regions)))
  await user.call('chat.send', { body: { sessionId, messages: [{ role: 'user', content: 'Draw it' }] } })
  const { share } = await user.call('shares.create', { params: { sessionId }, body: { days: 30 } })
  const page = await newPage({ baseURL: stack.origin })
  await page.goto(`/shared#${share.secret}`)
  await drawing(page).getByText('Online').waitFor()
  await button(page, 'Show as table').click()
  await page.getByRole('cell', { name: '12.6' }).waitFor()
})

it.each([
  [{ ...regions, data: { url: 'https://example.org/x.csv' } }, '"data.url" is not allowed'],
  [{ ...regions, mark: 'bars' }, '"mark" is "bars"'],
  [
    { ...regions, encoding: { x: { field: 'shares', type: 'quantitative' } } },
    'no field "shares" ("encoding.x.field")',
  ],
  ['{"mark": "bar",, }', 'line 1, column 16'],
])('a chart that is not drawn stays code, with a sentence: %j', { tags: 'long' }, async (spec, sentence) => {
  const { page } = await sharedPage()
  await ask(page, fence(spec))
  await page.getByText('This chart is not drawn:').filter({ hasText: sentence }).waitFor()
  await page.getByRole('group', { name: 'Vega-Lite' }).getByText('"mark"').waitFor()
})

it('a chart that is being written is code until it is complete', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  const text = fence(regions)
  const paused = pausableReply(text.slice(0, 200))
  model.behave(paused.behaviour)
  await sendMessage(page, 'Draw it')
  await page.getByRole('group', { name: 'Vega-Lite' }).getByText('"region": "South"').waitFor()
  expect(await page.locator(frameSelector).count()).toBe(0)
  paused.finish(text.slice(200))
  await drawing(page).getByText('Online').waitFor()
})

it('a chart that never ends does not stop the page', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  const endless = {
    ...regions,
    transform: [{ calculate: `test(regexp('(a+)+$'), '${'a'.repeat(60)}!')`, as: 'x' }],
  }
  await ask(page, fence(endless))
  await page.frameLocator(frameSelector).locator('main').waitFor({ state: 'attached' })
  await composer(page).fill('Still here')
  await page.getByRole('group', { name: 'Vega-Lite' }).getByText('"region": "South"').waitFor()
})

it('the frame has no origin, and neither it nor its worker reaches the page, its storage, the network or `eval`', async () => {
  const { page } = await sharedPage()
  await ask(page, fence(regions))
  await drawing(page).waitFor()
  const frame = page.frames().find((each) => each.url().includes('/diagram/chart'))
  const attempts = await frame?.evaluate(async () => {
    const attempt = async (action: () => unknown) => {
      try {
        await action()
        return 'worked'
      } catch (error) {
        return (error as Error).name
      }
    }
    const fromWorker = (code: string) =>
      new Promise((resolve) => {
        const worker = new Worker(
          URL.createObjectURL(
            new Blob([`${code}.then(() => postMessage('worked'), (error) => postMessage(error.name))`]),
          ),
        )
        worker.addEventListener('message', ({ data }) => resolve(data))
      })
    return {
      origin: globalThis.origin,
      page: await attempt(() => parent.document.title),
      storage: await attempt(() => localStorage.length),
      network: await attempt(() => fetch('/config.json')),
      networkOfWorker: await fromWorker(
        `fetch(${JSON.stringify(new URL('/config.json', location.href).href)})`,
      ),
      codeOfWorker: await fromWorker(`new Promise((resolve) => resolve(eval('1')))`),
    }
  })
  expect(attempts).toEqual({
    origin: 'null',
    page: 'SecurityError',
    storage: 'SecurityError',
    network: 'TypeError',
    networkOfWorker: 'TypeError',
    codeOfWorker: 'EvalError',
  })
  // the browser's messages about what was refused
  const problems: string[] = []
  await expect
    .poll(() => {
      problems.push(...takeProblems(page))
      return problems.join('\n')
    })
    .toContain('The content security policy refused')
})
