import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { AdminUser } from '#shared/contracts/admin.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { UsersSection } from './users-section.tsx'

const aPerson = (name: string, day: number): AdminUser => ({
  id: name,
  email: `${name}@x.example`,
  name,
  status: 'active',
  sign_in: 'password',
  groups: [],
  two_factor: false,
  created_at: '2026-11-01T00:00:00.000Z',
  last_active_at: `2026-11-${day}T09:00:00.000Z`,
})
const pages = [[aPerson('ann', 20), aPerson('bo', 12)], [aPerson('cy', 27)], [aPerson('di', 10)]]
const listEmails = () =>
  within(screen.getByRole('list', { name: 'Users' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => /[a-z]+@/.exec(textContent)?.[0])
const order = (value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText('Order'), { target: { value } }))

it.each([
  ['newest', ['cy@', 'ann@', 'bo@', 'di@']],
  ['oldest', ['di@', 'bo@', 'ann@', 'cy@']],
])('the order %s is one of all users, of whatever page', async (value, expected) => {
  fakeApi({
    'admin.users': ({ query: { cursor = '0' } }) => ({
      users: pages[Number(cursor)] ?? [],
      next_cursor: Number(cursor) < pages.length - 1 ? String(Number(cursor) + 1) : null,
    }),
  })
  renderPage(<UsersSection />, '/admin/users')
  await screen.findByRole('list', { name: 'Users' })
  expect(listEmails()).toEqual(['ann@', 'bo@'])
  await order(value)
  await vi.waitFor(() => expect(listEmails()).toEqual(expected))
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

it('a page that cannot be loaded ends the loading, and is said', async () => {
  const api = fakeApi({
    'admin.users': ({ query: { cursor } }) => {
      if (cursor !== undefined)
        throw new ApiError({ status: 429, code: 'rate_limited', userMessage: 'Too many.' })
      return { users: pages[0] ?? [], next_cursor: '1' }
    },
  })
  renderPage(<UsersSection />, '/admin/users')
  await screen.findByRole('list', { name: 'Users' })
  await order('newest')
  expect(await screen.findByText(/More could not be loaded/)).toBeTruthy()
  expect(screen.getByText('The first 2 users')).toBeTruthy()
  expect(api.requestsTo('admin.users').length).toBeLessThan(4)
})
