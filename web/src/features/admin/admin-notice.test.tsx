import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AppConfig } from '../../lib/api/config.ts'
import { siteState } from '../../lib/sign-in/site-state.ts'
import { AdminNotice } from './admin-notice.tsx'

const site = vi.hoisted(() => ({ config: {} as Partial<AppConfig> }))
vi.mock('../../lib/api/config.ts', () => ({ useConfig: () => site.config }))

const open = (userId = 'ann') =>
  render(
    <MemoryRouter>
      <AdminNotice userId={userId} />
    </MemoryRouter>,
  )
beforeEach(() => localStorage.clear())
afterEach(() => siteState.setState(undefined))

const provider = { name: 'Okta', label: 'Okta', domains: ['corp.example'] }
it.each<[Partial<AppConfig>, RegExp]>([
  [
    { signUp: 'open' },
    /Everybody who reaches this page can create an account\. Site in the administration changes that\. A/,
  ],
  [
    { signUp: 'domains' },
    /People with an address at certain e-mail domains, and those you invite, can create an account\. Site in the administration changes that\. A/,
  ],
  [{ signUp: 'closed' }, /Only people whom you invite can create an account\. Site/],
  [
    { signUp: 'closed', identityProviders: [provider] },
    /Only people whom you invite can create an account\. Users of your identity providers are admitted, too\. Site/,
  ],
])('says who can sign up: %j', (config, text) => {
  site.config = config
  open()
  expect(screen.getByRole('region').textContent).toMatch(text)
  expect(screen.getByRole('link', { name: 'Open the administration' }).getAttribute('href')).toBe(
    '/admin/users',
  )
})

it('says what administrators have set, which counts over what is deployed', () => {
  site.config = { signUp: 'open' }
  siteState.setState({ notice: null, signUp: 'closed', replies: 'on' })
  open()
  expect(screen.getByRole('region').textContent).toContain(
    'Only people whom you invite can create an account.',
  )
  expect(screen.getByRole('link', { name: 'Site' }).getAttribute('href')).toBe('/admin/site')
})

it('is gone for the administrator who has read it, and for no other one', () => {
  site.config = { signUp: 'open' }
  open()
  fireEvent.click(screen.getByRole('button', { name: 'Got it' }))
  expect(screen.queryByRole('region')).toBeNull()
  cleanup()
  open()
  expect(screen.queryByRole('region')).toBeNull()
  cleanup()
  open('ben')
  expect(screen.getByRole('region', { name: 'You are an administrator of this site' })).toBeDefined()
})
