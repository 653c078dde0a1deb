import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { ScheduleAddition } from '#shared/contracts/schedules.ts'
import { checkLooks } from '../support/check-looks.ts'
import { openHistory, signedInPage, typeThrough, toastNamed, undoButton } from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { stack } = await scriptedStack('Two mails are new.')

const prompt = 'Read my unread mail and draft the answers.'
const schedule: ScheduleAddition = {
  prompt,
  rule: { kind: 'weekly', days: ['mo'], time: '08:00' },
  time_zone: 'Europe/Vienna',
}

const list = (page: Page) => page.getByRole('list', { name: 'Scheduled' })
const promptField = (page: Page) => page.getByRole('textbox', { name: 'What should Juno do?' })
const moreButton = (page: Page) => page.getByRole('button', { name: `More for ${prompt}` })

async function choose(page: Page, item: string) {
  await moreButton(page).click()
  await page.getByRole('menuitem', { name: item }).click()
}

it(
  'a schedule is made with the keyboard alone, said in the language of the page, paused, resumed, run and deleted',
  { tags: 'long' },
  async () => {
    const { page, user } = await signedInPage(stack)
    await openHistory(page)
    await page.getByRole('link', { name: 'Scheduled' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Scheduled' }).waitFor()
    await page.getByText('What Juno does while you are away.').waitFor()
    await checkLooks(page, 'scheduled, empty')

    // every Monday at eight is what it begins with
    await page.getByRole('link', { name: 'New schedule' }).press('Enter')
    await promptField(page).focus()
    await typeThrough(page, [prompt, 'Tab'])
    const times = page.getByRole('list', { name: 'Next times' }).getByRole('listitem')
    await expect.poll(() => times.count()).toBe(3)
    for (const time of await times.allTextContents()) expect(time).toMatch(/^Mon.*08:00$/)
    await page.getByText('Every Monday at 08:00', { exact: true }).waitFor()
    await checkLooks(page, 'schedule, new')

    // what was typed is there after a look at another page
    await page.getByRole('link', { name: 'Back to your schedules' }).click()
    await page.getByRole('link', { name: 'New schedule' }).click()
    await expect.poll(() => promptField(page).inputValue()).toBe(prompt)
    await page.reload()
    await promptField(page).waitFor()
    await expect.poll(() => promptField(page).inputValue()).toBe(prompt)
    await page.getByRole('button', { name: 'Save schedule' }).focus()
    await typeThrough(page, ['Enter'])
    await list(page).getByText('Every Monday at 08:00').waitFor()
    const { schedules } = await user.call('schedules.list')
    expect(schedules).toMatchObject([
      { prompt, rule: { kind: 'weekly', days: ['mo'], time: '08:00' }, time_zone: 'UTC', writes: 'ask' },
    ])

    const isOn = page.getByRole('switch', { name: `${prompt}: on or paused` })
    await isOn.press('Space')
    await list(page).getByText('Paused.').waitFor()
    await expect.poll(() => isOn.isChecked()).toBe(false)
    await isOn.press('Space')
    await list(page).getByText('Next: ').waitFor()

    await choose(page, 'Run now')
    await list(page).getByText('Last run done').waitFor()
    await checkLooks(page, 'scheduled')
    await list(page).getByRole('link', { name: 'Open its chat' }).click()
    await page.getByText('Two mails are new.').waitFor()

    await page.goBack()
    await choose(page, 'Delete')
    await list(page).waitFor({ state: 'detached' })
    await undoButton(page).click()
    await list(page).getByText(prompt).waitFor()
    await choose(page, 'Delete')
    await toastNamed(page, 'Schedule removed').getByRole('button', { name: 'Close' }).click()
    await expect.poll(async () => (await user.call('schedules.list')).schedules).toEqual([])
  },
)

it('what another tab has changed is not deleted unseen, and Undo deletes nothing', async () => {
  const expected = [409, 404].map((status) => ({ url: /\/api\/schedules\//, status }))
  const { page, user } = await signedInPage(stack, { expected })
  await user.call('schedules.create', { body: schedule })
  await page.goto('/scheduled')
  await list(page).getByText(prompt).waitFor()
  const other = await page.context().newPage()
  await other.goto('/scheduled')
  await choose(page, 'Delete')
  await list(page).waitFor({ state: 'detached' })
  await other.getByRole('switch', { name: `${prompt}: on or paused` }).press('Space')
  await list(other).getByText('Paused.').waitFor()
  await toastNamed(page, 'Schedule removed').getByRole('button', { name: 'Close' }).click()
  await toastNamed(page, 'The schedule was not deleted').waitFor()
  await list(page).getByText('Paused.').waitFor()
  // seen as it is now
  await choose(page, 'Delete')
  await undoButton(page).click()
  await list(page).getByText('Paused.').waitFor()
  expect((await user.call('schedules.list')).schedules).toHaveLength(1)
  await other.bringToFront()
  await choose(other, 'Delete')
  await toastNamed(other, 'Schedule removed').getByRole('button', { name: 'Close' }).click()
  await expect.poll(async () => (await user.call('schedules.list')).schedules).toEqual([])
  // the first tab learns of it with what it tries next
  await page.getByRole('switch', { name: `${prompt}: on or paused` }).press('Space')
  await list(page).waitFor({ state: 'detached' })
})

it('in German the same rule is German, with its zone where it is another one', { tags: 'long' }, async () => {
  const user = await stack.newUser()
  const { page } = await signedInPage(stack, {}, user)
  await user.call('schedules.create', { body: schedule })
  await page.goto('/scheduled?lang=de')
  await page.getByText('Jeden Montag um 08:00 (Europe/Vienna)').waitFor()
  // by the clock of the schedule's zone
  await page
    .getByText(/Nächster: Mo\.?,.*08:00$/)
    .first()
    .waitFor()
  await page.getByRole('link', { name: prompt }).click()
  await page.getByRole('combobox', { name: 'Zeitzone' }).waitFor()
  await expect.poll(() => page.getByRole('combobox', { name: 'Zeitzone' }).inputValue()).toBe('Europe/Vienna')
  const names = await page
    .getByRole('group', { name: 'Tage' })
    .getByRole('checkbox')
    .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')))
  expect(names).toEqual(['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'])
})
