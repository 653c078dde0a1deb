/** @module-tag long */
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { newPage } from '../support/browser.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { card, openCatalogue } from '../support/integration-steps.ts'
import { composer, sendMessage, signedInPage, signInOnPage, toastNamed } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'

/** What users see: computed colours and opacities, for states that were created through the API. */

const stack = await demoStack()
/** one valid connection, one that expires within five minutes, one that has expired */
let ann: StackUser
/** one connection whose grant was revoked */
let ben: StackUser

async function readTokenStatus(user: StackUser, mcpId: string) {
  const { integrations } = await user.call('integrations.list')
  return integrations.find((row) => row.mcp_id === mcpId)?.token_status
}

beforeAll(async () => {
  ;[ann, ben] = await Promise.all([stack.newUser(), stack.newUser()])
  await connectProvider(stack, ann, 'gmail')
  await connectProvider(stack, ann, 'slack', 'demo+expires=280+no-refresh')
  await connectProvider(stack, ann, 'asana', 'demo+expires=1+no-refresh')
  await connectProvider(stack, ben, 'zoom', 'demo+revoked')
  await ben.send('oauth.handle', { body: { action: 'refresh', mcpId: 'zoom' } })
  await vi.waitUntil(async () => (await readTokenStatus(ann, 'asana')) === 'expired')
})

type Hue = 'red' | 'yellow' | 'green' | 'grey' | 'other'

/** The common name of the colour. @param property of the element's computed style */
async function readHue(
  target: Locator,
  property: 'color' | 'fill' | 'background-color' = 'color',
): Promise<Hue> {
  const value = await target.evaluate(
    (element, name) => getComputedStyle(element).getPropertyValue(name),
    property,
  )
  const [red, green, blue] = (/^rgba?\((\d+), (\d+), (\d+)/.exec(value) ?? []).slice(1).map(Number)
  if (red === undefined || green === undefined || blue === undefined)
    throw new Error(`not a colour: ${value}`)
  const largest = Math.max(red, green, blue)
  const range = largest - Math.min(red, green, blue)
  if (range < 12) return 'grey'
  const sector =
    largest === red
      ? (green - blue) / range
      : largest === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range
  const degrees = (sector * 60 + 360) % 360
  if (degrees < 15 || degrees > 345) return 'red'
  if (degrees >= 25 && degrees <= 65) return 'yellow'
  return degrees >= 90 && degrees <= 170 ? 'green' : 'other'
}

const badge = (page: Page, name: RegExp) => page.getByRole('button', { name })
const dot = (target: Locator) => target.locator('svg[data-variant] > *').first()

/** Runs the check in both themes, on the current page. */
async function inBothThemes(page: Page, check: () => Promise<void>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await check()
  }
}

describe('in both themes', () => {
  it(
    'TOP-09 TOP-13 the dot and the badge of the popover are green for active, yellow for needs_refresh and red for expired',
    { tags: 'trial' },
    async () => {
      const { page } = await signedInPage(stack, {}, ann)
      for (const [name, words, hue] of [
        ['Gmail', 'Connected', 'green'],
        ['Slack', 'Needs Refresh', 'yellow'],
        ['Asana', 'Token Expired', 'red'],
      ] as const) {
        const button = badge(page, new RegExp(`${name}: ${words}`))
        await inBothThemes(page, () => expect.poll(() => readHue(dot(button), 'fill')).toBe(hue))
        await button.click()
        const label = page.getByRole('dialog', { name }).getByText(words, { exact: true })
        await label.waitFor()
        await inBothThemes(page, async () => {
          await expect.poll(() => readHue(label)).toBe(hue)
          await expect.poll(() => readHue(label, 'background-color')).toBe(hue)
        })
        await page.keyboard.press('Escape')
      }
    },
  )

  it(
    'TOP-09 DEC-053 DEC-149 an invalid connection is red in the top bar and on its card',
    { tags: 'trial' },
    async () => {
      const { page } = await signedInPage(stack, {}, ben)
      await inBothThemes(page, () =>
        expect.poll(() => readHue(dot(badge(page, /Zoom: Needs Reconnect/)), 'fill')).toBe('red'),
      )
      await openCatalogue(page)
      const status = card(page, 'Zoom').getByText('Needs Reconnect')
      await inBothThemes(page, async () => {
        await expect.poll(() => readHue(status)).toBe('red')
        await expect.poll(() => readHue(dot(status.locator('..')), 'fill')).toBe('red')
      })
    },
  )

  it(
    'INT-16 INT-17 a card says Live in grey and Sandbox in yellow, and its status in the colour of the dot',
    { tags: 'trial' },
    async () => {
      const { page } = await signedInPage(stack, {}, ann)
      await openCatalogue(page)
      const status = card(page, 'Gmail').getByText(/^Connected/)
      await inBothThemes(page, () =>
        expect.poll(() => readHue(dot(status.locator('..')), 'fill')).toBe('green'),
      )
      await page.getByRole('textbox', { name: 'Search integrations' }).fill('stripe')
      const sandbox = card(page, 'Stripe Sandbox').getByText('Sandbox', { exact: true })
      const live = card(page, 'Stripe').getByText('Live', { exact: true })
      await inBothThemes(page, async () => {
        await expect.poll(() => readHue(sandbox)).toBe('yellow')
        await expect.poll(() => readHue(live)).toBe('grey')
      })
    },
  )

  it('the icon of a toast is green for a success and red for an error', { tags: 'trial' }, async () => {
    const page = await newPage({ baseURL: stack.origin })
    await signInOnPage(page, await stack.newUser())
    const icon = (title: string) => toastNamed(page, title).locator('[data-icon] svg')
    await inBothThemes(page, () => expect.poll(() => readHue(icon('Welcome back!'))).toBe('green'))
    await sendMessage(page, '/fail')
    await inBothThemes(page, () => expect.poll(() => readHue(icon('Chat Error'))).toBe('red'))
  })
})

it('with forced colours, which take backgrounds away, what is current or switched on has a frame', async () => {
  const { page } = await signedInPage(stack, { viewport: { width: 1440, height: 900 } }, ann)
  await page.emulateMedia({ forcedColors: 'active' })
  const readFrame = (target: Locator) =>
    target.evaluate((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle === 'none' ? 'none' : outlineWidth
    })
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await page.goto('/scheduled')
  await expect.poll(() => readFrame(link('Scheduled'))).toBe('2px')
  await expect.poll(() => readFrame(link('Waiting for you'))).toBe('none')
  await page.goto('/settings')
  await expect.poll(() => readFrame(link('Profile'))).toBe('2px')
  await expect.poll(() => readFrame(link('Privacy'))).toBe('none')
  await page.goto('/')
  const temporary = page.getByRole('button', { name: /^Temporary/ })
  await temporary.click()
  await page.mouse.move(0, 0)
  await composer(page).focus()
  await expect.poll(() => readFrame(temporary)).toBe('2px')
})
