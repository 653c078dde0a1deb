import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Group } from '#shared/contracts/admin.ts'
import {
  aSite,
  createAdminHandlers,
  aGroup,
  type Installation,
} from '../../../../test/support/admin-routes.ts'
import { fakeApi, type RouteHandlers } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError } from '../../lib/api/api-errors.ts'
import { AppsSection } from './apps/apps-section.tsx'
import { AuditSection } from './audit/audit-section.tsx'
import { GroupsSection } from './groups/groups-section.tsx'
import { InvitationsSection } from './invitations/invitations-section.tsx'
import { SchedulesSection } from './schedules/schedules-section.tsx'
import { UsageSection } from './usage/usage-section.tsx'

vi.mock(import('../../components/ui/toast.ts'), { spy: true })
vi.mock('../../lib/api/config.ts', async (original) => ({
  ...(await original<object>()),
  getIdentityProviders: () => [{ name: 'Okta', label: 'Work account', domains: ['corp.example'] }],
}))

function open(section: React.ReactNode, changes: Partial<Installation> = {}, more: RouteHandlers = {}) {
  const installation: Installation = { users: [], groups: [], invitations: [], entries: [], ...changes }
  const handlers = { ...createAdminHandlers(installation), ...more }
  const api = fakeApi(handlers)
  renderPage(section, '/admin/section')
  return { api, handlers, installation }
}
const click = (name: string | RegExp) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name })))
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
/** The form that invites one person; another one invites many. */
const getInvitation = () => within(screen.getByLabelText('E-mail').closest('form') ?? document.body)
const invite = () => act(async () => fireEvent.click(getInvitation().getByRole('button', { name: 'Invite' })))
const getDialog = () => within(screen.getByRole('dialog'))
const confirm = (name: string) => act(async () => fireEvent.click(getDialog().getByRole('button', { name })))
const listTexts = (list: string) =>
  within(screen.getByRole('list', { name: list }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

const anInvitation = (email: string, sentAt: string | null = '2026-11-20T08:00:00.000Z') => ({
  id: email.replaceAll(/\W/g, ''),
  email,
  groups: ['editors'],
  expires_at: '2026-11-27T08:00:00.000Z',
  sent_at: sentAt,
  link: `https://juno.example/auth?email=${email}`,
})

it('invites an address, and says to pass on the link if no e-mail was sent', async () => {
  const { api } = open(
    <InvitationsSection />,
    { groups: [aGroup('editors')] },
    {
      'admin.invite': ({ body: { email = '' } }) => ({
        invitation: anInvitation(email, email.startsWith('no-mail') ? null : undefined),
      }),
    },
  )
  await screen.findByText('No open invitations.')
  await invite()
  expect(screen.getByText('Please enter an e-mail address.')).toBeTruthy()
  type('E-mail', ' no-mail@roastery.example')
  type('Valid for', '30')
  fireEvent.click(await getInvitation().findByRole('checkbox', { name: 'editors' }))
  await invite()
  expect(await screen.findByText(/copy the link and pass it on/)).toBeTruthy()
  expect(api.requestsTo('admin.invite')).toEqual([
    { body: { email: 'no-mail@roastery.example', days: 30, groups: ['editors'] } },
  ])
  expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('')
})

const limitedGroups = () => [
  aGroup('trial', { limits: { tokens_per_day: 3_000, tools: 'none' } }),
  aGroup('staff', { limits: { tokens_per_day: 9_000, tools: 'built_in' } }),
  aGroup('book-club'),
]

it('shows what the groups of an invitation, of a list and of everybody new limit together', async () => {
  const settings = { ...aSite.settings, defaultGroup: { value: 'trial', configured: null } }
  open(<InvitationsSection />, { groups: limitedGroups() }, { 'admin.site': () => ({ ...aSite, settings }) })
  await waitFor(() => expect(listTexts('Limits in trial')).toEqual(['3,000 tokens a day', 'No tools']))
  fireEvent.click(await getInvitation().findByRole('checkbox', { name: 'staff' }))
  expect(listTexts('Limits in trial, staff')).toEqual(['9,000 tokens a day', 'Built-in integrations only'])
  type('Addresses', 'E-mail,Groups\na@x.example,BOOK-club\nb@x.example,nobody\n')
  expect(listTexts('Limits in trial, book-club')).toEqual(['3,000 tokens a day', 'No tools'])
})

it('says what a change of a group, and its deletion, takes away and adds', async () => {
  open(<GroupsSection />, { groups: limitedGroups() })
  fireEvent.click(await screen.findByRole('button', { name: 'Edit trial' }))
  expect(screen.queryByText(/Takes away/)).toBeNull()
  type('Tokens a day', '')
  type('Tools', 'catalogue')
  expect(screen.getByText('Takes away these limits: 3,000 tokens a day, No tools')).toBeTruthy()
  expect(screen.getByText('Adds these limits: No custom tools')).toBeTruthy()
  type('Use memory', 'allowed')
  expect(screen.getByText('Adds these limits: No custom tools, Allowed: Use memory')).toBeTruthy()
})

it('DEC-191 shows which provider an invited address signs in with', async () => {
  const invitations = [anInvitation('ada@corp.example'), anInvitation('bo@x.example')]
  open(<InvitationsSection />, { invitations })
  await screen.findByText('ada@corp.example')
  expect(screen.getAllByText(/Signs in with Work account/)).toHaveLength(1)
  type('E-mail', 'cy@CORP.example')
  expect(screen.getByLabelText('E-mail').getAttribute('aria-describedby')).toBe(
    screen.getByText('Signs in with Work account').id,
  )
})

it('lists open invitations by address, as people count', async () => {
  const addresses = ['person10@x.example', 'ada@x.example', 'person9@x.example']
  open(<InvitationsSection />, { invitations: addresses.map((email) => anInvitation(email)) })
  const list = within(await screen.findByRole('list', { name: 'Open invitations' }))
  expect(list.getAllByText(/@x\.example$/).map(({ textContent }) => textContent)).toEqual([
    'ada@x.example',
    'person9@x.example',
    'person10@x.example',
  ])
})

it('clears the selected groups after an invitation, and keeps an address that was entered meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const answer: RouteHandlers['admin.invite'] = async ({ body: { email = '' } }) => {
    await promise
    return { invitation: anInvitation(email) }
  }
  open(<InvitationsSection />, { groups: [aGroup('admins')] }, { 'admin.invite': answer })
  type('E-mail', 'ada@x.example')
  const adminsCheckbox = await getInvitation().findByRole<HTMLInputElement>('checkbox', { name: /admins/ })
  fireEvent.click(adminsCheckbox)
  await invite()
  type('E-mail', 'bo@x.example')
  await act(async () => resolve())
  await waitFor(() => expect(adminsCheckbox.checked).toBe(false))
  expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('bo@x.example')
})

it('keeps the entered values when an invitation is rejected', async () => {
  open(
    <InvitationsSection />,
    {},
    {
      'admin.invite': () => {
        throw new ApiError({ status: 409, code: 'has_account', userMessage: 'There is an account already.' })
      },
    },
  )
  type('E-mail', 'ada@roastery.example')
  await invite()
  expect((await screen.findByRole('alert')).textContent).toBe('There is an account already.')
  expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('ada@roastery.example')
})

it('resends an invitation, and revokes one even if it no longer exists', async () => {
  const { api, installation } = open(
    <InvitationsSection />,
    { invitations: [anInvitation('ada@x.example'), anInvitation('bo@x.example', null)] },
    {
      'admin.resendInvitation': () => ({ invitation: anInvitation('ada@x.example') }),
      'admin.revokeInvitation': () => {
        installation.invitations = installation.invitations.slice(1)
        throw new ApiError({ status: 404, code: 'invitation_not_found', userMessage: 'It is gone.' })
      },
    },
  )
  await screen.findByText('ada@x.example')
  expect(screen.getByText(/· No e-mail was sent$/)).toBeTruthy()
  await click('Send again to ada@x.example')
  expect(api.requestsTo('admin.resendInvitation')).toEqual([{ params: { invitationId: 'adaxexample' } }])
  await click('Revoke invitation of ada@x.example')
  await confirm('Revoke')
  await waitFor(() => expect(screen.queryByText('ada@x.example')).toBeNull())
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('lists the groups with their limits, and creates a group', async () => {
  const { api, installation } = open(
    <GroupsSection />,
    {
      groups: [
        aGroup('admins', { members: 1 }),
        aGroup('editors', { members: null, limits: { models: [], tools: 'none', require_two_factor: true } }),
      ],
    },
    {
      'admin.createGroup': ({ body }) => {
        const group = aGroup(body.name, { description: body.description ?? '', limits: body.limits ?? {} })
        installation.groups.push(group)
        return { group }
      },
    },
  )
  await screen.findByText('Many members')
  expect(listTexts('Limits of editors')).toEqual(['No models', 'No tools', 'Two-factor required'])
  expect(screen.queryByRole('button', { name: 'Delete admins' })).toBeNull()

  await click('New group')
  type('Name', 'night/shift')
  type('Tokens a day', '2,5')
  await confirm('Create group')
  expect(getDialog().getByText('Please use 1 to 64 letters, digits, blanks and - _ . & + ( ).')).toBeTruthy()
  expect(getDialog().getByText('Please enter a whole number, such as 50000, or nothing.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
  expect(api.requestsTo('admin.createGroup')).toEqual([])

  type('Name', 'night-shift')
  type('Tokens a day', '50,000')
  type('Cost a month', '12.50')
  type('Tools', 'catalogue')
  type('Two-factor', 'required')
  await confirm('Create group')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.requestsTo('admin.createGroup')).toEqual([
    {
      body: {
        name: 'night-shift',
        description: '',
        limits: {
          tokens_per_day: 50_000,
          cost_per_month: 12.5,
          tools: 'catalogue',
          require_two_factor: true,
        },
      },
    },
  ])
  expect(await screen.findByText('night-shift')).toBeTruthy()
})

it('what is typed while a group is created changes that group with the next press', async () => {
  const creating = Promise.withResolvers<void>()
  const { api } = open(
    <GroupsSection />,
    {},
    {
      'admin.createGroup': async ({ body }) => {
        await creating.promise
        return { group: aGroup(body.name, { version: 1 }) }
      },
      'admin.updateGroup': ({ params }) => ({ group: aGroup(params.groupName) }),
    },
  )
  await click('New group')
  type('Name', 'editors')
  await confirm('Create group')
  type('Description', 'They write')
  await act(async () => creating.resolve())
  await waitFor(() => expect(showToast).toHaveBeenCalledWith('success', 'Group “editors” was created'))
  expect(screen.getByLabelText<HTMLInputElement>('Description').value).toBe('They write')
  await confirm('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.requestsTo('admin.createGroup')).toHaveLength(1)
  expect(api.requestsTo('admin.updateGroup')).toMatchObject([
    { params: { groupName: 'editors' }, body: { description: 'They write', version: 1 } },
  ])
})

it.each([
  ['an existing group', 'Edit editors', 'Save'],
  ['a new group', 'New group', 'Create group'],
])(
  '%s: what is typed during each save is saved with the next press, without a conflict',
  async (_, opener, first) => {
    const saves: PromiseWithResolvers<void>[] = []
    let version = 0
    const save = async (expected: number, name: string, description = '') => {
      if (expected !== version)
        throw new ApiError({ status: 409, code: 'group_changed', userMessage: 'Changed.' })
      version += 1
      const group = aGroup(name, { description, version })
      const saving = Promise.withResolvers<void>()
      saves.push(saving)
      await saving.promise
      return { group }
    }
    const { api } = open(
      <GroupsSection />,
      { groups: [aGroup('editors', { version })] },
      {
        'admin.createGroup': ({ body }) => save(0, body.name, body.description),
        'admin.updateGroup': ({ params, body }) => save(body.version, params.groupName, body.description),
      },
    )
    await screen.findByText('editors')
    await click(opener)
    if (first !== 'Save') type('Name', 'authors')
    for (const [index, text] of ['One', 'Two', 'Three'].entries()) {
      type('Description', text)
      if (index > 0) await act(async () => saves[index - 1]?.resolve())
      await confirm(index === 0 ? first : 'Save')
      await waitFor(() => expect(saves).toHaveLength(index + 1))
    }
    await act(async () => saves[2]?.resolve())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.requestsTo('admin.updateGroup').at(-1)).toMatchObject({ body: { description: 'Three' } })
  },
)

it('the warning of a newer version is gone once that was replaced, and text that was saved stays when it is typed again', async () => {
  const replacing = Promise.withResolvers<void>()
  const newer = aGroup('editors', { description: 'Theirs', version: 7 })
  const { installation } = open(
    <GroupsSection />,
    { groups: [aGroup('editors', { description: 'Old' })] },
    {
      'admin.updateGroup': async ({ body }) => {
        installation.groups = [newer]
        if (body.version !== 7)
          throw new ApiError({ status: 409, code: 'group_changed', userMessage: 'Changed.' })
        await replacing.promise
        return { group: { ...newer, description: body.description ?? '', version: 8 } }
      },
    },
  )
  await screen.findByText('Old')
  await click('Edit editors')
  type('Description', 'Mine')
  await confirm('Save')
  await getDialog().findByRole('alert')
  await confirm('Save')
  type('Description', 'Mine, too')
  await act(async () => replacing.resolve())
  await waitFor(() => expect(getDialog().queryByRole('alert')).toBeNull())
  type('Description', 'Mine')
  expect(getDialog().getByLabelText<HTMLInputElement>('Description').value).toBe('Mine')
})

it('shows the newer version of a group that somebody else has changed, and offers to use it', async () => {
  const { api, installation } = open(
    <GroupsSection />,
    { groups: [aGroup('editors', { description: 'Old', limits: { images_per_day: 5 } })] },
    {
      'admin.updateGroup': ({ body }) => {
        if (body.version === 2) return { group: aGroup('editors', { version: 3 }) }
        installation.groups = [
          aGroup('editors', { description: 'New.', limits: { images_per_day: 9 }, version: 2 }),
        ]
        throw new ApiError({ status: 409, code: 'group_changed', userMessage: 'Changed.' })
      },
    },
  )
  await screen.findByText('Old')
  await click('Edit editors')
  type('Description', 'Mine')
  type('Generated images a day', '7')
  await confirm('Save')
  expect((await getDialog().findByRole('alert')).textContent).toContain(
    'It now says: New; 9 images a day. Save again to replace that',
  )
  expect(getDialog().getByLabelText<HTMLInputElement>('Description').value).toBe('Mine')
  await confirm('Use the newer version')
  expect(getDialog().getByLabelText<HTMLInputElement>('Generated images a day').value).toBe('9')
  expect(getDialog().queryByRole('alert')).toBeNull()
  await confirm('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.requestsTo('admin.updateGroup').at(-1)).toEqual({
    params: { groupName: 'editors' },
    body: { description: 'New.', limits: { images_per_day: 9 }, version: 2 },
  })
})

it('nothing is unsaved in the form of a group once the newer version is used', async () => {
  const { installation } = open(
    <GroupsSection />,
    { groups: [aGroup('editors', { description: 'Old' })] },
    {
      'admin.updateGroup': () => {
        installation.groups = [aGroup('editors', { description: 'New', version: 2 })]
        throw new ApiError({ status: 409, code: 'group_changed', userMessage: 'Changed.' })
      },
    },
  )
  await screen.findByText('Old')
  await click('Edit editors')
  type('Description', 'Mine')
  await confirm('Save')
  await getDialog().findByRole('alert')
  await confirm('Use the newer version')
  expect(getDialog().getByLabelText<HTMLInputElement>('Description').value).toBe('New')
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it.each([
  ['', 'Can do everything in the administration'],
  ['Ask Ada', 'Ask Ada'],
])(
  'the group of administrators is described alike wherever it is shown: “%s”',
  async (description, shown) => {
    const groups = [aGroup('admins', { description })]
    open(
      <>
        <GroupsSection />
        <InvitationsSection />
      </>,
      { groups },
    )
    await getInvitation().findByRole('checkbox', { name: /^admins/ })
    expect(getInvitation().getByText(shown)).toBeTruthy()
    expect(within(screen.getByRole('list', { name: 'Groups' })).getByText(shown)).toBeTruthy()
  },
)

it('shows the newer version of a group, although an older list is being loaded', async () => {
  const older = Promise.withResolvers<{ groups: Group[] }>()
  const { api, handlers, installation } = open(
    <GroupsSection />,
    { groups: [aGroup('editors', { description: 'Old' })] },
    {
      'admin.updateGroup': () => {
        installation.groups = [aGroup('editors', { description: 'New.', version: 2 })]
        Object.assign(handlers, { 'admin.groups': list })
        throw new ApiError({ status: 409, code: 'group_changed', userMessage: 'Changed.' })
      },
    },
  )
  const list = handlers['admin.groups']
  await screen.findByText('Old')
  await click('Edit editors')
  type('Description', 'Mine')
  handlers['admin.groups'] = () => older.promise
  // the administrator comes back to the page
  await act(async () => void window.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(api.requestsTo('admin.groups')).toHaveLength(2))
  await confirm('Save')
  older.resolve({ groups: [aGroup('editors', { description: 'Old' })] })
  expect((await getDialog().findByRole('alert')).textContent).toContain('It now says: New;')
})

it('Escape closes an unchanged dialog, but keeps unsaved changes until they are discarded', async () => {
  open(<GroupsSection />, { groups: [aGroup('editors')] })
  await screen.findByText('editors')
  await click('Edit editors')
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  expect(screen.queryByRole('dialog')).toBeNull()
  await click('Edit editors')
  type('Stored files', '5')
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  expect(getDialog().getByText('Your changes are not saved yet.')).toBeTruthy()
  await confirm('Discard changes')
  expect(screen.queryByRole('dialog')).toBeNull()
  await click('Edit editors')
  expect(screen.getByLabelText<HTMLInputElement>('Stored files').value).toBe('')
})

it('deletes a group after a confirmation', async () => {
  const { api, installation } = open(
    <GroupsSection />,
    { groups: [aGroup('admins'), aGroup('editors', { members: 4 })] },
    {
      'admin.deleteGroup': () => {
        installation.groups = [aGroup('admins')]
        return { success: true }
      },
    },
  )
  await screen.findByText('editors')
  await click('Delete editors')
  expect(getDialog().getByText(/“editors” \(4 members\)/)).toBeTruthy()
  await confirm('Delete')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.requestsTo('admin.deleteGroup')).toEqual([{ params: { groupName: 'editors' } }])
  expect(screen.queryByText('editors')).toBeNull()
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Edit admins')
})

const usage = { replies: 2, inputTokens: 300, cachedInputTokens: 0, outputTokens: 40, images: 0, cost: 0.5 }

const thisMonth = new Date().toISOString().slice(0, 7)

it('shows the usage of a month by user and group, sorted by the selected column', async () => {
  const { api } = open(
    <UsageSection />,
    {},
    {
      'admin.usage': ({ query: { month = '' } }) => ({
        month,
        users:
          month < thisMonth
            ? []
            : [
                { ...usage, id: 'ada', email: 'ada@x.example', groups: [] },
                {
                  ...usage,
                  id: 'bo',
                  email: 'bo@x.example',
                  groups: ['editors'],
                  inputTokens: 900,
                  replies: 1,
                },
              ],
        groups: [{ ...usage, name: 'editors', users: 1 }],
        total: { ...usage, inputTokens: 1200, replies: 3, cost: 1 },
      }),
    },
  )
  const table = within(await screen.findByRole('table', { name: 'By user' }))
  const readRows = () =>
    table
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent)
  expect(readRows()).toEqual([
    'bo@x.example190040about $0.50',
    'ada@x.example230040about $0.50',
    'Total31,20040about $1.00',
  ])
  fireEvent.click(table.getByRole('button', { name: 'User' }))
  expect(table.getByRole('columnheader', { name: 'User' }).getAttribute('aria-sort')).toBe('ascending')
  expect(readRows()[0]).toMatch(/^ada/)
  fireEvent.click(table.getByRole('button', { name: 'User' }))
  expect(readRows()[0]).toMatch(/^bo/)

  const [currentMonth = '', previousMonth = ''] = within(screen.getByLabelText('Month'))
    .getAllByRole<HTMLOptionElement>('option')
    .map(({ value }) => value)
  type('Month', previousMonth)
  expect(await screen.findByText('Nothing was used in this month.')).toBeTruthy()
  expect(api.requestsTo('admin.usage')).toEqual([
    { query: { month: currentMonth } },
    { query: { month: previousMonth } },
  ])
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Download CSV' }).disabled).toBe(true)
})

it('shows what users thought of replies: counts by model, and texts as their users let them be read', async () => {
  const text = { model: 'gpt-5', rating: 'down' as const, at: `${thisMonth}-02T08:00:00.000Z` }
  open(
    <UsageSection />,
    {},
    {
      'admin.usage': ({ query: { month = '' } }) => ({
        month,
        users: [],
        groups: [],
        total: { ...usage, inputTokens: 0, replies: 0, cost: 0 },
      }),
      'admin.feedback': ({ query: { month = '' } }) =>
        month < thisMonth
          ? { month, counts: [], texts: [], older_texts: 0 }
          : {
              month,
              counts: [
                { model: 'gpt-5', up: 12, down: 3 },
                { model: 'gpt-5', assistant: { id: 'a', name: 'Legal' }, up: 0, down: 1 },
              ],
              texts: [
                { ...text, text: 'Wrong\nyear', email: 'ada@x.example' },
                { ...text, text: '<b>x</b>', rating: 'up', assistant: { id: 'a', name: 'Legal' } },
              ],
              older_texts: 1,
            },
    },
  )
  const table = within(await screen.findByRole('table', { name: 'By model' }))
  const rows = table.getAllByRole('row').map(({ textContent }) => textContent)
  expect(rows).toEqual(['ModelGoodBad', 'gpt-5123', 'gpt-5 · Legal01'])
  const [first, second] = listTexts('Texts')
  expect(first).toMatch(/^Wrong\nyeargpt-5ada@x\.example/)
  expect(second).toMatch(/^<b>x<\/b>gpt-5 · Legal/)
  expect(screen.getByText('1 older text is not shown.')).toBeTruthy()
  const [, previousMonth = ''] = within(screen.getByLabelText('Month'))
    .getAllByRole<HTMLOptionElement>('option')
    .map(({ value }) => value)
  type('Month', previousMonth)
  expect(await screen.findByText('No reply was rated in this month.')).toBeTruthy()
})

it('shows who did what, newest first, and loads earlier entries', async () => {
  const actor = { id: 'mika', email: 'mika@x.example' }
  open(
    <AuditSection />,
    {},
    {
      'admin.audit': ({ query: { cursor } }) =>
        cursor === undefined
          ? {
              entries: [
                {
                  id: '2',
                  at: '2026-11-22T09:00:00.000Z',
                  actor,
                  action: 'user.groups_changed',
                  target: 'ada@x.example',
                  details: { added: ['editors'], removed: [], by_mail: true, files: 0, tool_calls: 2 },
                },
              ],
              next_cursor: 'older',
            }
          : {
              entries: [
                {
                  id: '1',
                  at: '2026-11-21T09:00:00.000Z',
                  actor: { command: true },
                  action: 'group.updated',
                  target: 'editors',
                  details: { images_per_day: 0, tools: 'none', changed: ['limits'], failed: 'group_changed' },
                },
              ],
              next_cursor: null,
            },
    },
  )
  await screen.findByText('mika@x.example')
  await click('Show more')
  await screen.findByText('An operator, by command')
  const [newerEntry, olderEntry] = listTexts('Audit log')
  expect(newerEntry).toContain(
    'mika@x.example changed the groups of ada@x.exampleAdded: editors · by mail: yes · 2 tool calls',
  )
  expect(olderEntry).toContain(
    'An operator, by command changed the group editorsNo images · No tools · Changed: Limits · Failed: group_changed',
  )
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

const someApps = {
  problem: null,
  integrations: [
    { id: 'gmail', name: 'Gmail', has_app: true },
    { id: 'slack', name: 'Slack', has_app: false },
  ],
  unknown: [],
}

it('shows which integrations have an app of the operator, the redirect URL, and how to set one on AWS', async () => {
  open(<AppsSection />, { apps: someApps })
  expect(await screen.findByText('1 of 2 is set')).toBeTruthy()
  expect(listTexts('Integrations that take an app')).toEqual(['Gmail gmailSet', 'Slack slackNot set'])
  expect(screen.getByText(`${location.origin}/oauth/callback`)).toBeTruthy()
  expect(screen.getByText(/npm run secret -- set juno\/apps/)).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

it.each([
  ['invalid', [], /is not valid, so none is used/],
  ['unreadable', [], /could not be read/],
  [null, ['google_drive', 'teams'], /These ids .* google_drive, teams/],
] as const)('says what is wrong with the list of apps: %s %j', async (problem, unknown, said) => {
  open(<AppsSection />, { apps: { ...someApps, problem, unknown: [...unknown] } })
  expect((await screen.findByRole('alert')).textContent).toMatch(said)
})

it('shows who has how many schedules and how they went, and pauses those of a person', async () => {
  const person = { id: 'ada', email: 'ada@x.example', count: 2, paused: 1, paused_by_administrator: 0 }
  const schedules = [
    { ...person, last_run: { at: '2026-11-23T08:00:00.000Z', status: 'failed' as const } },
    { ...person, id: 'bo', email: 'bo@x.example', count: 1, paused: 0 },
  ]
  const { api, installation } = open(
    <SchedulesSection />,
    { schedules },
    {
      'admin.pauseSchedules': () => {
        const held = { ...person, count: 0, paused: 0, held: true }
        installation.schedules = [held]
        return { person: held }
      },
      'admin.resumeSchedules': () => ({ person }),
    },
  )
  expect(await screen.findByText(/2 schedules, 1 paused, last run .*: failed/)).toBeTruthy()
  expect(screen.getByText(/1 schedule, no run yet/)).toBeTruthy()
  await click('Pause the schedules of ada@x.example')
  await screen.findByRole('button', { name: 'Resume the schedules of ada@x.example' })
  await click('Resume the schedules of ada@x.example')
  const params = { userId: 'ada' }
  expect([api.requestsTo('admin.pauseSchedules'), api.requestsTo('admin.resumeSchedules')]).toEqual([
    [{ params }],
    [{ params }],
  ])
})

it('says that nobody has a schedule', async () => {
  open(<SchedulesSection />)
  expect(await screen.findByText('Nobody has a schedule.')).toBeTruthy()
})
