import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { webDist } from '../../infra/local/web-build.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { readCatalogue } from '../../web/translation/catalogues.ts'
import { findViolations } from '../support/axe.ts'
import { newPage } from '../support/browser.ts'
import { findCutOffElements } from '../support/layout-faults.ts'
import { sendMessage, signedInPage, waitForReplyEnd } from '../support/page-steps.ts'
import { openSettings } from '../support/settings-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

const translate = (language: string, text: string) =>
  language === 'en' ? text : (readCatalogue(language)[text] ?? '')

const languageChoice = (page: Page, language: string) =>
  page.getByRole('combobox', { name: translate(language, 'Language') })

const waitForSettings = (page: Page, language: string) =>
  page.getByRole('heading', { name: translate(language, 'Settings'), exact: true, level: 1 }).waitFor()

const readRoot = (page: Page) =>
  page.evaluate(() => {
    const { lang, dir } = document.documentElement
    return `${lang} ${dir || 'ltr'}`
  })

it(
  'the language that is chosen in the settings stays, with its direction, and no longer than it is chosen',
  { tags: 'long' },
  async () => {
    const { page } = await signedInPage(stack)
    expect(await readRoot(page)).toBe('en ltr')
    await openSettings(page)
    await languageChoice(page, 'en').selectOption('de')
    await waitForSettings(page, 'de')
    expect(await readRoot(page)).toBe('de ltr')
    await page.reload()
    await waitForSettings(page, 'de')

    await languageChoice(page, 'de').selectOption('ar')
    await waitForSettings(page, 'ar')
    expect(await readRoot(page)).toBe('ar rtl')
    expect(await findCutOffElements(page)).toEqual([])
    expect(await findViolations(page)).toEqual([])

    await languageChoice(page, 'ar').selectOption('')
    await waitForSettings(page, 'en')
    expect(await readRoot(page)).toBe('en ltr')
  },
)

it('a language in the address is for the visit only', { tags: 'long' }, async () => {
  const page = await newPage({ baseURL: stack.origin })
  await page.goto('/auth?lang=ja')
  await page.getByRole('heading', { name: translate('ja', 'Sign in'), exact: true }).waitFor()
  expect(await readRoot(page)).toBe('ja ltr')
  await page.goto('/auth')
  await page.getByRole('heading', { name: translate('ja', 'Sign in'), exact: true }).waitFor()
  expect(await readRoot(page)).toBe('ja ltr')
  expect(await page.evaluate(() => localStorage.getItem('juno.language'))).toBeNull()
  // the next visit begins with an empty session
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('/auth')
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  expect(await readRoot(page)).toBe('en ltr')
})

it('the page is English if the catalogue of its language cannot be loaded', { tags: 'long' }, async () => {
  const page = await newPage({
    baseURL: stack.origin,
    expected: [{ url: /\/assets\/de-.*\.js$/, status: 'network' }],
  })
  await page.route(/\/assets\/de-.*\.js$/, (route) => route.abort())
  await page.goto('/auth?lang=de')
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  expect(await readRoot(page)).toBe('en ltr')
})

// its modules would be evaluated before the catalogue is there, and their texts would stay English
it('the script that loads the catalogue imports no other one', async () => {
  const html = await readFile(join(webDist, 'index.html'), 'utf8')
  const [, entry = ''] = /<script type="module" crossorigin src="\/(.*?)">/.exec(html) ?? []
  expect(await readFile(join(webDist, entry), 'utf8')).not.toMatch(/^import\b|[;}]import[\w{*"]/)
})

it('English loads no catalogue', { tags: 'long' }, async () => {
  const page = await newPage({ baseURL: stack.origin })
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
  await page.goto('/auth')
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  expect(scripts.filter((path) => /\/(?:ar|de|es|fr|ja|pt-BR)-[^/]*\.js$/.test(path))).toEqual([])
})

it('a reply that was stopped says so in the language of the page', { tags: 'long' }, async () => {
  const { page } = await signedInPage(stack)
  await page.goto('/?lang=de')
  await page.locator('textarea:enabled').fill('/long')
  await page.keyboard.press('Enter')
  await page.locator('[data-reply-text]').waitFor()
  await page.getByRole('button', { name: 'Stoppen' }).click()
  await page.getByText(translate('de', stoppedLine)).first().waitFor()
  expect(await page.getByText(stoppedLine).count()).toBe(0)
})

it(
  'a conversation without a title has a name in the language of the page wherever it goes',
  { tags: 'long' },
  async () => {
    const { page, user } = await signedInPage(stack)
    await sendMessage(page, 'Hello')
    await waitForReplyEnd(page)
    const sessionId = new URL(page.url()).searchParams.get('c') ?? ''
    await user.call('sessions.update', { params: { sessionId }, body: { title: 'New Chat' } })
    await page.goto(`/?c=${sessionId}&lang=de`)
    await page.getByText('Hello', { exact: true }).first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('neuer chat')
    await page.getByRole('option', { name: /^Neuer Chat(?! starten)/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: translate('de', 'Your Conversations') }).click()
    const menu = page.getByRole('button', { name: 'Mehr für Neuer Chat' })
    const download = async (item: string) => {
      await menu.click()
      await page.getByRole('menuitem', { name: translate('de', 'Export…') }).click()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: translate('de', item) }).click(),
      ])
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
    }
    const markdown = await download('Export as Markdown')
    expect(markdown).toMatchObject({ name: 'neuer-chat.md' })
    expect(markdown.text).toMatch(/^# Neuer Chat\n\nBegonnen: .*\n\n## Sie, /)
    expect((await download('Export as Word')).name).toBe('Neuer-Chat.docx')
    await menu.click()
    await page.getByRole('menuitem', { name: translate('de', 'Export…') }).click()
    await page.getByRole('menuitem', { name: translate('de', 'Print or save as PDF…') }).click()
    await page.getByRole('dialog', { name: 'Neuer Chat' }).waitFor()
    await page.keyboard.press('Escape')
    await menu.click()
    await page.getByRole('menuitem', { name: translate('de', 'Archive') }).click()
    await page.getByText('„Neuer Chat“ ist im Archiv.').waitFor()
    expect(await page.getByText('New Chat').count()).toBe(0)
  },
)

it(
  'a conversation in a page from right to left has its replies in their own direction; long words have room on a phone',
  { tags: 'long' },
  async () => {
    const { page } = await signedInPage(stack)
    await sendMessage(page, 'Hello')
    await waitForReplyEnd(page)
    await page.goto(`${new URL(page.url()).pathname}${new URL(page.url()).search}&lang=ar`)
    const message = page.getByText('Hello', { exact: true })
    await message.waitFor()
    expect(await readRoot(page)).toBe('ar rtl')
    const readDirection = () => message.evaluate((element) => getComputedStyle(element).direction)
    await expect.poll(readDirection).toBe('ltr')
    expect(await findCutOffElements(page)).toEqual([])
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: translate('ar', 'Your Conversations') }).click()
    const row = page.locator('li[data-session]').filter({ hasText: 'Hello' })
    await row.waitFor()
    // a title in English begins on the right, above the line with its date
    const lineEnds = await row.evaluate((element) =>
      [...element.querySelectorAll('.truncate')].map((line) => {
        const range = document.createRange()
        range.selectNodeContents(line)
        return Math.round(range.getBoundingClientRect().right)
      }),
    )
    expect(lineEnds).toEqual([lineEnds[0], lineEnds[0]])
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await findCutOffElements(page)).toEqual([])
    const next = new URL(page.url())
    next.searchParams.set('lang', 'de')
    await page.goto(next.href)
    await message.waitFor()
    expect(await readRoot(page)).toBe('de ltr')
    expect(await findCutOffElements(page)).toEqual([])
  },
)
