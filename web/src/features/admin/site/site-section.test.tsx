import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { AdminSite } from '#shared/contracts/site.ts'
import { aSite as site } from '../../../../../test/support/admin-routes.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { RecentSignInContext } from '../../../lib/sign-in/recent-sign-in.ts'
import { siteQuery } from '../admin-queries.ts'
import { SiteSection } from './site-section.tsx'

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

it.each([
  ['abc', 'Please enter a whole number, such as 50000, or nothing.'],
  ['1.5', 'Please enter a whole number, such as 50000, or nothing.'],
  ['0', 'Please enter 1 at least, or nothing.'],
])('leads to the first field that is wrong, and says what is: %s', async (text, problem) => {
  const api = fakeApi({ 'admin.site': () => site, 'admin.groups': () => ({ groups: [] }) })
  renderPage(<SiteSection />)
  await screen.findByLabelText('Each person, per day')
  type('Each person, per day', text)
  type('Cost of all together, per day', '2000000000')
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save Changes' })))
  expect(document.activeElement).toBe(screen.getByLabelText('Each person, per day'))
  screen.getByText(problem)
  screen.getByText('Please enter 1,000,000,000 at most, or nothing.')
  expect(api.requestsTo('admin.updateSite')).toEqual([])
})

it('saves settings, and starts replies again, once the administrator has signed in again', async () => {
  let isRecent = false
  const stopped: AdminSite = {
    ...site,
    settings: { ...site.settings, replies: { value: 'off', configured: 'on' } },
    stopped: { at: '2026-11-29T12:00:00.000Z', by: 'ada@example.org' },
  }
  const api = fakeApi({
    'admin.site': () => stopped,
    'admin.groups': () => ({ groups: [] }),
    'admin.updateSite': () => {
      if (isRecent) return stopped
      throw new ApiError({ status: 403, code: 'sign_in_again', userMessage: 'Please sign in again.' })
    },
  })
  const requestSignIn = async () => (isRecent = true)
  renderPage(
    <RecentSignInContext value={requestSignIn}>
      <SiteSection />
    </RecentSignInContext>,
  )
  await screen.findByLabelText('Each person, per day')
  type('Each person, per day', '5000')
  for (const name of ['Save Changes', 'Start again']) {
    isRecent = false
    await act(async () => fireEvent.click(screen.getByRole('button', { name })))
    expect(isRecent).toBe(true)
  }
  expect(api.requestsTo('admin.updateSite').map(({ body }) => body)).toEqual([
    { tokensPerDay: 5000 },
    { tokensPerDay: 5000 },
    { replies: null },
    { replies: null },
  ])
})

it.each([
  ['replies', 'Stop all replies', 'Replies are stopped'],
  ['schedules', 'Stop all schedules', 'Schedules are stopped'],
])(
  'stopping all %s leads to what says so; cancelling leads back to the button',
  async (what, label, title) => {
    let current = site
    fakeApi({
      'admin.site': () => current,
      'admin.groups': () => ({ groups: [] }),
      'admin.updateSite': () => {
        const settings = { ...site.settings, [what]: { value: 'off', configured: 'on' } }
        return (current = { ...site, settings })
      },
    })
    renderPage(<SiteSection />)
    const button = await screen.findByRole('button', { name: label })
    const openDialog = async () => {
      button.focus()
      fireEvent.click(button)
      return within(await screen.findByRole('dialog'))
    }
    fireEvent.click((await openDialog()).getByRole('button', { name: 'Cancel' }))
    await expect.poll(() => document.activeElement).toBe(button)
    const dialog = await openDialog()
    await act(async () => fireEvent.click(dialog.getByRole('button', { name: label })))
    const heading = await screen.findByRole('heading', { name: title })
    await expect.poll(() => document.activeElement).toBe(heading)
  },
)

it('counts no changes while it saves what was changed back', async () => {
  const saved = Promise.withResolvers<AdminSite>()
  fakeApi({
    'admin.site': () => site,
    'admin.groups': () => ({ groups: [] }),
    'admin.updateSite': () => saved.promise,
  })
  renderPage(<SiteSection />)
  await screen.findByLabelText('Each person, per day')
  type('Each person, per day', '5000')
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Save Changes' })))
  type('Each person, per day', '')
  expect(screen.getByRole('button', { name: 'Save Changes' }).ariaBusy).toBe('true')
  expect(screen.queryByText(/0 changes/)).toBeNull()
})

it('a response from before all replies were stopped does not show them as running', async () => {
  const older = Promise.withResolvers<AdminSite>()
  const stopped: AdminSite = {
    ...site,
    settings: { ...site.settings, replies: { value: 'off', configured: 'on' } },
  }
  let isFirst = true
  fakeApi({
    'admin.site': () => {
      if (!isFirst) return older.promise
      isFirst = false
      return site
    },
    'admin.groups': () => ({ groups: [] }),
    'admin.updateSite': () => stopped,
  })
  const { client } = renderPage(<SiteSection />)
  fireEvent.click(await screen.findByRole('button', { name: 'Stop all replies' }))
  const dialog = within(await screen.findByRole('dialog'))
  void client.refetchQueries({ queryKey: siteQuery.queryKey })
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Stop all replies' })))
  await screen.findByRole('heading', { name: 'Replies are stopped' })
  older.resolve(site)
  await expect.poll(() => client.isFetching({ queryKey: siteQuery.queryKey })).toBe(0)
  expect(screen.getByRole('heading', { name: 'Replies are stopped' })).toBeTruthy()
})
