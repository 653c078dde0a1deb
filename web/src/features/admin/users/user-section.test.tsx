import { act, fireEvent, screen } from '@testing-library/react'
import { Link, Routes } from '../../../lib/navigation/router.tsx'
import { expect, it } from 'vitest'
import type { AdminUserDetails, Group } from '#shared/contracts/admin.ts'
import { aGroup } from '../../../../../test/support/admin-routes.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { userQuery } from '../admin-queries.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { UserSection } from './user-section.tsx'

const noUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, images: 0, replies: 0 }
const ben: AdminUserDetails = {
  id: 'sub-of-ben',
  log_id: '3f1c9a52e07b',
  email: 'ben@x.example',
  name: 'Ben',
  status: 'active',
  sign_in: 'password',
  groups: [],
  two_factor: false,
  created_at: '2026-11-01T00:00:00.000Z',
  usage: { today: noUsage, month: noUsage },
  limits: {},
}

async function open(user: AdminUserDetails, groups: Group[] = []) {
  fakeApi({ 'admin.user': () => ({ user }), 'admin.groups': () => ({ groups }) })
  renderPage(
    <Routes pages={{ '/admin/users/:userId': <UserSection ownId="ann" /> }} />,
    `/admin/users/${user.id}`,
  )
  await screen.findByRole('heading', { name: 'ben@x.example' })
}
/** What stands beside a term of the account's list. */
const readFact = (term: string) =>
  screen.getAllByRole('term').find(({ textContent }) => textContent === term)?.nextElementSibling?.textContent

it('the page of a person has the id by which logs name them, beside their own', async () => {
  await open(ben)
  expect(readFact('ID')).toBe('sub-of-ben')
  expect(readFact('ID in logs')).toBe('3f1c9a52e07b')
})

it('a service of an earlier release names no id in logs: its line is left out', async () => {
  const { log_id: _, ...older } = ben
  await open(older)
  expect(readFact('ID')).toBe('sub-of-ben')
  expect(readFact('ID in logs')).toBeUndefined()
})

it('says in which hour somebody was last active, which may have begun before the account', async () => {
  await open({ ...ben, created_at: '2026-11-01T09:28:00.000Z', last_active_at: '2026-11-01T09:00:00.000Z' })
  expect(readFact('Last active')).toMatch(/\s–\s/)
})

it('shows nothing of what went wrong with another user', async () => {
  const users = [ben, { ...ben, id: 'sub-of-cleo', email: 'cleo@x.example' }].map(
    (user): AdminUserDetails => ({ ...user, status: 'disabled' }),
  )
  fakeApi({
    'admin.user': ({ params }) => ({ user: users.find(({ id }) => id === params.userId) ?? ben }),
    'admin.groups': () => ({ groups: [] }),
    'admin.enableUser': () => {
      throw new ApiError({ status: 409, code: 'x', userMessage: 'Ben is in another pool.' })
    },
  })
  const { client } = renderPage(
    <>
      <Link to="/admin/users/sub-of-cleo">Cleo</Link>
      <Routes pages={{ '/admin/users/:userId': <UserSection ownId="ann" /> }} />
    </>,
    '/admin/users/sub-of-ben',
  )
  await screen.findByRole('heading', { name: 'ben@x.example' })
  for (const user of users) client.setQueryData(userQuery(user.id).queryKey, user)
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Enable' })))
  await screen.findByText('Ben is in another pool.')
  await act(async () => fireEvent.click(screen.getByRole('link', { name: 'Cleo' })))
  await screen.findByRole('heading', { name: 'cleo@x.example' })
  expect(screen.queryByText('Ben is in another pool.')).toBeNull()
})

it('says which limits a change of groups takes away and adds; a group without limits has no say', async () => {
  await open({ ...ben, groups: ['trial'], provider_groups: ['sales'] }, [
    aGroup('trial', { limits: { tokens_per_day: 3_000, tools: 'none' } }),
    aGroup('staff', { limits: { tokens_per_day: 9_000 } }),
    aGroup('book-club'),
    aGroup('sales', { limits: { publish: false } }),
  ])
  fireEvent.click(screen.getByRole('button', { name: 'Change groups' }))
  const toggle = (name: string) => fireEvent.click(screen.getByRole('checkbox', { name }))
  await screen.findByRole('checkbox', { name: 'trial' })
  toggle('book-club')
  expect(screen.queryByText(/these limits/)).toBeNull()
  toggle('trial')
  expect(screen.getByText('Takes away these limits: 3,000 tokens a day, No tools')).toBeTruthy()
  toggle('staff')
  expect(screen.getByText('Adds these limits: 9,000 tokens a day')).toBeTruthy()
})
