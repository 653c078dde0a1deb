import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { aGroup, createAdminHandlers } from '../../../../../test/support/admin-routes.ts'
import { fakeApi, type RouteHandlers } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { announcementStore } from '../../../lib/browser/announce.ts'
import { isLeaveGuarded } from '../../../lib/input/leave-guard.ts'
import { InvitationsSection } from './invitations-section.tsx'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const anInvitation = {
  id: 'i1',
  email: 'ada@x.example',
  groups: ['Sales'],
  expires_at: '2026-11-27T08:00:00.000Z',
  sent_at: '2026-11-20T08:00:00.000Z',
  link: 'https://juno.example/auth',
}

function open(more: RouteHandlers = {}) {
  const installation = { users: [], groups: [aGroup('Sales')], invitations: [], entries: [] }
  const api = fakeApi({ ...createAdminHandlers(installation), ...more })
  renderPage(<InvitationsSection />, '/admin/invitations')
  return api
}
const field = () => screen.getByLabelText('Addresses')
const form = () => within(field().closest('form') ?? document.body)
const enter = (text: string) => fireEvent.change(field(), { target: { value: text } })
const press = (name: string | RegExp) =>
  act(async () => fireEvent.click(form().getByRole('button', { name })))
const describe = () =>
  (field().getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.querySelector(`[id="${id}"]`)?.textContent)
    .filter(Boolean)

it('says what it takes, and counts the addresses of a list or a table', async () => {
  open()
  await screen.findByText('No open invitations.')
  screen.getByText('Not used yet. An invitation disappears once the person has signed up.')
  screen.getByText('They get a link to sign up with this address. It works until the invitation expires.')
  screen.getByText(
    'One address in each line, or a CSV with the address in a column, and the groups in one named “Groups”. Up to 500 at once.',
  )
  const isDisabled = () => form().getByRole<HTMLButtonElement>('button', { name: /^Invite/ }).disabled
  expect(describe()).toEqual([])
  expect(isDisabled()).toBe(true)
  for (const [text, hint] of [
    ['ada@x.example', '1 address'],
    ['ada@x.example\nbo@x.example', '2 addresses'],
    ['e-mail,groups\nada@x.example,Sales', '1 address, with groups from the list'],
    ['e-mail,groups\nada@x.example,Sales\nbo@x.example,', '2 addresses, with groups from the list'],
  ] as const) {
    enter(text)
    expect(describe()).toEqual([hint])
    expect(isDisabled()).toBe(false)
  }
})

it.each(['E-mail', 'Addresses'])('leaving asks before what stands in “%s” is lost', (label) => {
  open()
  const input = screen.getByLabelText(label)
  expect(isLeaveGuarded()).toBe(false)
  fireEvent.change(input, { target: { value: 'ada@x.example' } })
  expect(isLeaveGuarded()).toBe(true)
  fireEvent.change(input, { target: { value: '' } })
  expect(isLeaveGuarded()).toBe(false)
})

it('says that a list is too long, and sends none of it', async () => {
  const api = open()
  const list = (count: number) =>
    Array.from({ length: count }, (_, index) => `a${index}@x.example`).join('\n')
  enter(list(501))
  expect(describe()).toContain('The list has 501 addresses. Up to 500 can be invited at once.')
  fireEvent.submit(field().closest('form') ?? field())
  expect(api.requestsTo('admin.invite')).toEqual([])
  enter(list(500))
  expect(describe()).toEqual(['500 addresses'])
})

const oneResult: RouteHandlers = {
  'admin.invite': () => ({ results: [{ email: 'ada@x.example', status: 'invited' }] }),
}

it('announces the results to somebody whose focus is elsewhere', async () => {
  open(oneResult)
  enter('ada@x.example')
  field().focus()
  await act(async () => fireEvent.submit(field().closest('form') ?? field()))
  await screen.findByRole('heading', { name: '1 of 1 invited' })
  expect(document.activeElement).toBe(field())
  expect(announcementStore.getState().text).toBe('1 of 1 invited')
})

it('a list that is opened takes the place of the results of the one before', async () => {
  open(oneResult)
  enter('ada@x.example')
  await press('Invite 1 person')
  await screen.findByRole('heading', { name: '1 of 1 invited' })
  const file = new File(['bo@x.example'], 'list.csv')
  fireEvent.change(document.querySelector('input[type=file]') as HTMLInputElement, {
    target: { files: [file] },
  })
  await expect.poll(() => (field() as HTMLTextAreaElement).value).toBe('bo@x.example')
  expect(screen.queryByRole('heading', { name: '1 of 1 invited' })).toBeNull()
})

it('says what became of each line, those that failed first, and takes them to be corrected', async () => {
  const api = open({
    'admin.invite': () => ({
      results: [
        { email: 'ada@x.example', status: 'invited' },
        { email: 'bo(at)x.example', status: 'invalid', error: 'No address.', code: 'invitation.no_address' },
        {
          email: 'cy@x.example',
          status: 'already',
          error: 'Was invited.',
          code: 'invitation.invited_already',
        },
        { email: 'di@x.example', status: 'invited', error: 'No mail was sent.', code: 'unknown_code' },
      ],
    }),
  })
  enter('ada@x.example\nbo(at)x.example\ncy@x.example\ndi@x.example')
  form().getByRole('button', { name: 'Invite 4 people' }).focus()
  await press('Invite 4 people')
  expect(api.requestsTo('admin.invite')).toHaveLength(1)
  // the button is disabled now
  expect(document.activeElement).toBe(await screen.findByRole('heading', { name: '2 of 4 invited' }))
  const results = screen.getByRole('list', { name: 'Results' })
  // it scrolls, with the keyboard too
  expect(results.tabIndex).toBe(0)
  const lines = within(results).getAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^2bo\(at\)x\.exampleNot invited./),
    expect.stringMatching(/^3cy@x\.exampleAlready here or invited./),
    '1ada@x.exampleInvited',
    '4di@x.exampleInvitedNo mail was sent.',
  ])
  expect((field() as HTMLTextAreaElement).value).toBe('')
  fireEvent.click(screen.getByRole('button', { name: 'Correct 1 and try again' }))
  expect((field() as HTMLTextAreaElement).value).toBe('bo(at)x.example')
  expect(document.activeElement).toBe(field())
  expect(screen.queryByRole('list', { name: 'Results' })).toBeNull()
})

it('says why a list was not invited, and keeps it', async () => {
  open({
    'admin.invite': () => {
      throw new ApiError({ status: 503, code: 'x', userMessage: 'The user directory is busy.' })
    },
  })
  enter('ada@x.example')
  await press('Invite 1 person')
  await screen.findByText('The user directory is busy.')
  expect((field() as HTMLTextAreaElement).value).toBe('ada@x.example')
})

it('reads a CSV that is opened', async () => {
  open()
  form().getByRole('button', { name: 'Open a CSV' })
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  const file = new File(['e-mail;groups\nada@x.example;Sales'], 'people.csv', { type: 'text/csv' })
  await act(async () => void fireEvent.change(input, { target: { files: [file] } }))
  await expect.poll(describe).toEqual(['1 address, with groups from the list'])
})

it('says what an open invitation is, and asks before it is revoked', async () => {
  open({
    'admin.invitations': () => ({
      invitations: [anInvitation, { ...anInvitation, id: 'i2', email: 'bo@x.example', sent_at: null }],
    }),
  })
  const rows = within(await screen.findByRole('list', { name: 'Open invitations' })).getAllByRole('listitem')
  expect(rows[0]?.textContent).toMatch(/^ada@x\.exampleExpires .*E-mail sent .*Sales/)
  expect(rows[1]?.textContent).toMatch(/^bo@x\.exampleExpires .*No e-mail was sent/)
  fireEvent.click(screen.getByRole('button', { name: 'Revoke invitation of ada@x.example' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Revoke this invitation?' }))
  dialog.getByText('The link that ada@x.example has will no longer work. You can invite this address again.')
})

it('says that the invitations could not be loaded', async () => {
  open({
    'admin.invitations': () => {
      throw new ApiError({ status: 503, code: 'x', userMessage: 'The table is busy.' })
    },
  })
  expect(screen.getByLabelText('Loading the invitations')).toBeDefined()
  await screen.findByText(/The table is busy\./)
})

it('shows each address of a line that has several', async () => {
  open({
    'admin.invite': () => ({
      results: [
        { email: 'ada@x.example', status: 'invited' },
        { email: 'bo@x.example', status: 'invited' },
      ],
    }),
  })
  enter('ada@x.example, bo@x.example')
  await press('Invite 2 people')
  const lines = within(await screen.findByRole('list', { name: 'Results' })).getAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    '1ada@x.exampleInvited',
    '1bo@x.exampleInvited',
  ])
})

it('says that a CSV could not be opened, and keeps the list', async () => {
  open()
  enter('bo@x.example')
  const file = new File([], 'gone.csv', { type: 'text/csv' })
  file.text = () => Promise.reject(new DOMException('', 'NotFoundError'))
  const input = document.querySelector('input[type=file]')
  if (!input) throw new Error('no input')
  fireEvent.change(input, { target: { files: [file] } })
  await vi.waitFor(() =>
    expect(showToast).toHaveBeenCalledWith('error', 'The file could not be opened', {
      cause: expect.any(DOMException) as unknown,
    }),
  )
  expect(field()).toHaveProperty('value', 'bo@x.example')
})

it('says which line names more groups than one person can have, instead of leaving some out', async () => {
  const api = open()
  await screen.findByText('No open invitations.')
  const groups = (count: number) => Array.from({ length: count }, (_, index) => `Team ${index}`).join(', ')
  enter(`e-mail;groups\nada@x.example;"${groups(20)}"\nbo@x.example;"${groups(21)}"`)
  expect(describe()).toEqual(['Line 3 has too many groups: up to 20 can be in one line.'])
  const button = form().getByRole<HTMLButtonElement>('button', { name: 'Invite 2 people' })
  expect(button.disabled).toBe(true)
  await act(async () => fireEvent.submit(field()))
  expect(api.requestsTo('admin.invite')).toEqual([])
})

it('an invitation that is answered late leaves the focus where the administrator is typing by now', async () => {
  const answer = Promise.withResolvers<{ invitation: typeof anInvitation }>()
  open({ 'admin.invite': () => answer.promise })
  await screen.findByText('No open invitations.')
  const email = screen.getByLabelText('E-mail')
  fireEvent.change(email, { target: { value: 'ada@x.example' } })
  await act(async () => fireEvent.submit(email))
  field().focus()
  await act(async () => answer.resolve({ invitation: anInvitation }))
  await expect.poll(() => vi.mocked(showToast).mock.lastCall?.[1]).toBe('Invitation sent')
  expect(document.activeElement).toBe(field())
})

it('says which line is longer than the service takes, instead of sending what it would refuse', async () => {
  open()
  await screen.findByText('No open invitations.')
  const long = 'x'.repeat(1_001)
  enter(`ada@x.example\n${long}`)
  expect(describe()).toEqual(['Line 2 is too long.'])
  enter(`e-mail;groups\nada@x.example;${long}`)
  expect(describe()).toEqual(['Line 2 is too long.'])
  enter(`ada@x.example\n${long.slice(1)}`)
  expect(describe()).toEqual(['2 addresses'])
})
