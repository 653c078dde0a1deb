/** @module-tag long */
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { languageDirections } from '../../shared/languages.ts'
import { screenshot } from '../support/browser.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { findCutOffElements, findOverlappingControls } from '../support/layout-faults.ts'
import { composer, sendMessage, signedInPage, waitForReplyEnd } from '../support/page-steps.ts'
import { openSettings } from '../support/settings-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { stack } = await scriptedStack(
  Array.from({ length: 40 }, (_, index) => `Paragraph ${index}`).join('\n\n'),
)

it('at 400 % zoom a conversation has more than half of the height', async () => {
  const { page } = await signedInPage(stack)
  await sendMessage(page, 'Tell me more')
  await waitForReplyEnd(page)
  await page.setViewportSize({ width: 320, height: 256 })
  await page.getByText('Paragraph 10', { exact: true }).scrollIntoViewIfNeeded()
  await page
    .getByText('Paragraph 10', { exact: true })
    .evaluate((text) => text.scrollIntoView({ block: 'center' }))
  const countTextLines = () =>
    page.evaluate(
      () =>
        Array.from({ length: 256 }, (_, y) => document.elementFromPoint(160, y)).filter((element) =>
          element?.closest('.is-reply'),
        ).length,
    )
  await expect.poll(countTextLines).toBeGreaterThan(128)
  // it does not scroll away with the composer
  const jump = page.getByRole('button', { name: 'Jump to latest' })
  await expect
    .poll(() => jump.evaluate((button) => button.getBoundingClientRect().bottom))
    .toBeLessThanOrEqual(256)
  await screenshot(page, 'zoom-400')
  await jump.click()
  await expect
    .poll(() => composer(page).evaluate((field) => field.getBoundingClientRect().top))
    .toBeLessThan(256)
})

const readOutline = (target: Locator) => target.evaluate((element) => getComputedStyle(element).outlineStyle)

it('forced colours show who speaks, which conversation is open, and which search result is chosen', async () => {
  const { page } = await signedInPage(stack)
  await page.emulateMedia({ forcedColors: 'active' })
  await sendMessage(page, 'Who speaks?')
  await waitForReplyEnd(page)
  const bubble = page.locator('main .bg-accent-soft[translate=no]').last()
  await expect.poll(() => bubble.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px')
  await screenshot(page, 'forced-colours')
  await page
    .getByRole('button', { name: /conversations|history/i })
    .first()
    .click()
  const open = page.locator('li[data-session]:has([aria-current])')
  await open.waitFor()
  await expect.poll(() => readOutline(open)).toBe('solid')

  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('speaks')
  const results = page.getByRole('option')
  await expect.poll(() => results.count()).toBeGreaterThan(0)
  const chosen = page.locator('[role=option][aria-selected=true]')
  await expect.poll(() => readOutline(chosen)).toBe('solid')
  await screenshot(page, 'forced-colours-search')
})

it('forced colours outline the account, show what is chosen in a menu, and tell a switch that is on from one that is off', async () => {
  const { page } = await signedInPage(stack)
  await page.emulateMedia({ forcedColors: 'active' })
  const readBorder = (target: Locator) =>
    target.evaluate((element) => getComputedStyle(element).borderTopWidth)
  await expect
    .poll(() =>
      readBorder(
        page
          .getByRole('button', { name: /account menu/ })
          .locator('span')
          .first(),
      ),
    )
    .toBe('1px')
  await page.getByRole('button', { name: /account menu/ }).click()
  const theme = page.getByRole('menuitemradio', { name: 'System' })
  await expect.poll(() => readBorder(theme)).toBe('1px')
  for (const [key, item] of [
    ['ArrowDown', theme],
    ['End', page.getByRole('menuitem', { name: 'Log out' })],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => readOutline(item)).toBe('solid')
  }
  await page.keyboard.press('Escape')
  await openSettings(page)
  const readColours = (isOn: boolean) =>
    page
      .getByRole('switch', { checked: isOn })
      .first()
      .evaluate((element) => {
        const knob = element.firstElementChild
        return [element, ...(knob ? [knob] : [])].map((part) => getComputedStyle(part).backgroundColor)
      })
  const [on, off] = await Promise.all([readColours(true), readColours(false)])
  expect([on[0] === on[1], off[0] === off[1], on[0] === off[0]]).toEqual([false, false, false])
  await screenshot(page, 'forced-colours-settings')
})

const phone = { viewport: { width: 390, height: 844 } }

it('on a phone a text has the whole width of the composer, above its buttons', async () => {
  const { page } = await signedInPage(stack, phone)
  const readTextWidth = () =>
    composer(page).evaluate((field) => {
      const { paddingLeft, paddingRight } = getComputedStyle(field)
      return field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    })
  const single = await readTextWidth()
  // its form has less beside it than a button is wide
  expect(single).toBeGreaterThan(phone.viewport.width - 80)
  await composer(page).fill('Please compare the deliveries of last week with those of the week before')
  await expect.poll(readTextWidth).toBe(single)
  const [send, field] = await Promise.all([
    page.getByRole('button', { name: 'Send', exact: true }).boundingBox(),
    composer(page).boundingBox(),
  ])
  expect(send?.y).toBeGreaterThanOrEqual((field?.y ?? 0) + (field?.height ?? 0) - 1)
  await screenshot(page, 'long-text')
})

it('on a phone no part of the top bar covers another one, in any language', async () => {
  const { page } = await signedInPage(stack, { ...phone, viewport: { width: 360, height: 740 } })
  const listOverlaps = () =>
    page
      .locator('header')
      .first()
      .locator('a, button')
      .evaluateAll((elements) => {
        const boxes = elements
          .map((element) => {
            const range = document.createRange()
            range.selectNodeContents(element)
            const { left, right } = range.getBoundingClientRect()
            return { name: element.textContent || element.ariaLabel, left, right }
          })
          .filter(({ left, right }) => right > left)
          .toSorted((one, other) => one.left - other.left)
        return boxes.filter(({ right }, index) => right > (boxes[index + 1]?.left ?? Infinity) + 0.5)
      })
  for (const language of Object.keys(languageDirections)) {
    await page.evaluate((chosen) => localStorage.setItem('juno.language', chosen), language)
    await page.reload()
    await page.locator('header a[href="/integrations"]').nth(1).waitFor()
    expect.soft(await listOverlaps(), language).toEqual([])
  }
})

it('on a phone the page of a project and the form of a schedule fit, in any language', async () => {
  const { page, user } = await signedInPage(stack, phone)
  // the composer has a button for its model, its tools and dictation
  await page.route('**/config.json', async (route) => {
    const config = (await (await route.fetch()).json()) as object
    const model = { vision: true, efforts: [], isDefault: false }
    const models = [
      { ...model, id: 'terra', name: 'Terra 6 with a long name', isDefault: true },
      { ...model, id: 'sol', name: 'Sol 6' },
    ]
    await route.fulfill({ json: { ...config, dictation: true, models } })
  })
  await connectProvider(stack, user, 'gmail')
  const { project } = await user.call('projects.create', { body: { name: 'Wholesale 2027' } })
  for (const language of Object.keys(languageDirections)) {
    await page.evaluate((chosen) => localStorage.setItem('juno.language', chosen), language)
    await page.goto(`/projects/${project.id}`)
    await page.getByRole('heading', { level: 1, name: project.name }).waitFor()
    await page.locator('section:has(textarea[data-composer]) button[aria-haspopup]').nth(1).waitFor()
    expect.soft([language, await findCutOffElements(page)]).toEqual([language, []])
    await screenshot(page, `project-${language}`)
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ ...phone.viewport, width })
      expect.soft([language, width, await findOverlappingControls(page)]).toEqual([language, width, []])
    }
    await page.goto('/scheduled/new')
    await page.locator('input[type=checkbox]').first().waitFor()
    expect.soft([language, await findCutOffElements(page)]).toEqual([language, []])
    await screenshot(page, `schedule-${language}`)
  }
})
