import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import {
  type RouteHandlers,
  fakeApi,
  removeSession,
  renewedTokens,
  storeSession,
} from '../../../test/support/fake-api.ts'
import { authRedirectMs } from '../lib/browser/limits.ts'
import { holdTimers } from '../../../test/support/hold-timers.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { RouteName } from '#shared/routes.ts'
import { ApiError } from '../lib/api/api-errors.ts'
import { App } from './app.tsx'

// The whole page: its router, its stores, its sign-in library. Only the network is replaced.
const handlers: RouteHandlers = {
  health: () => ({ ok: true, version: '1' }),
  'account.read': () => ({
    profile: { display_name: 'Mika', avatar_id: null },
    settings: { keep_conversations: true, store_uploads: true, theme: null },
  }),
  'integrations.list': () => ({ integrations: [] }),
  'integrations.cleanup': () => ({ success: true, deleted: [] }),
  'tools.list': () => ({ integrations: [] }),
  'waiting.list': () => ({ waiting: [], total: 0, is_scheduled: false }),
  'sessions.list': () => ({ sessions: [] }),
  'projects.list': () => ({ projects: [] }),
  'assistants.list': () => ({ assistants: [], publishing: { allowed: true, groups: [] } }),
  'files.list': () => ({
    success: true,
    attachments: [],
    total: 0,
    storage: { used_bytes: 0, limit_bytes: 1e9 },
  }),
}

/** Cognito's response to a refresh token that was revoked. */
const createRevokedResponse = () =>
  Response.json(
    { __type: 'NotAuthorizedException', message: 'Refresh Token has been revoked' },
    { status: 400 },
  )

function open(path: string, more: RouteHandlers = {}, pool: Record<string, () => Response> = {}) {
  history.pushState({}, '', path)
  const api = fakeApi({ ...handlers, ...more }, { pool })
  render(<App />)
  return api
}
const findSignInButton = () => screen.findByRole('button', { name: 'Sign in' })
const findMessageField = () => screen.findByPlaceholderText<HTMLTextAreaElement>('Message Juno...')

it('NAV-04 /oauth/callback shows the page for responses of providers', async () => {
  open('/oauth/callback')
  expect(await screen.findByText('Missing authorization code or state parameter')).toBeTruthy()
  expect(location.pathname).toBe('/oauth/callback')
})

it('DEC-190 a user who needs a second factor has to set it up first, and sees the backup codes', async () => {
  storeSession(undefined, undefined, { two_factor: 'required' })
  let enabled = false
  const twoFactor: RouteHandlers = {
    'mfa.status': () => ({ enabled, federated: false, backupCodesLeft: 0 }),
    'mfa.setup': ({ body }) => {
      if (body.action === 'verify') enabled = true
      return {
        success: true,
        qrCodeUrl: 'otpauth://totp/Juno:a?secret=ABCDEFGH',
        backupCodes: ['7QK2M9XWTA'],
      }
    },
  }
  const api = open('/', twoFactor, { GetTokensFromRefreshToken: renewedTokens })
  fireEvent.click(await screen.findByRole('button', { name: 'Set up now' }))
  fireEvent.change(await screen.findByLabelText('Verification code'), { target: { value: '123456' } })
  expect(await screen.findByText('7QK2M9XWTA')).toBeTruthy()
  expect(api.requestsTo('account.read')).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await findMessageField()).toBeTruthy()
})

it('says nothing of the second factor to whoever comes after a sign-out', async () => {
  storeSession(undefined, undefined, { two_factor: 'required' })
  const verified = Promise.withResolvers<RouteResponse<'mfa.setup'>>()
  const key = { success: true as const, qrCodeUrl: 'otpauth://totp/Juno:a?secret=ABCDEFGH' }
  const api = open('/', {
    'mfa.status': () => ({ enabled: false, federated: false, backupCodesLeft: 0 }),
    'mfa.setup': ({ body }) => (body.action === 'verify' ? verified.promise : key),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Set up now' }))
  fireEvent.change(await screen.findByLabelText('Verification code'), { target: { value: '123456' } })
  await waitFor(() => expect(api.requestsTo('mfa.setup').length).toBe(2))
  removeSession()
  dispatchEvent(new StorageEvent('storage', { key: 'juno.sign-out', newValue: '1' }))
  expect(await findSignInButton()).toBeTruthy()
  await act(async () => verified.resolve({ ...key, backupCodes: ['7QK2M9XWTA'] }))
  expect(screen.queryByText(/Two-factor authentication is on/)).toBeNull()
})

it('DEC-190 opens the set-up when a request is rejected because the second factor is missing', async () => {
  const twoFactorRequired = new ApiError({
    status: 403,
    code: 'two_factor_required',
    userMessage: 'Set it up first.',
  })
  open('/files', {
    'mfa.status': () => ({ enabled: false, federated: false, backupCodesLeft: 0 }),
    'files.list': () => {
      // another tab has renewed the token meanwhile
      storeSession(undefined, undefined, { two_factor: 'required' })
      throw twoFactorRequired
    },
  })
  expect(await screen.findByRole('button', { name: 'Set up now' })).toBeTruthy()
})

it('DEC-137 /files shows the files', async () => {
  open('/files')
  expect(await screen.findByRole('heading', { name: 'Your files', level: 1 })).toBeTruthy()
})

const administrator: RouteResponse<'account.read'> = {
  profile: { display_name: 'Mika', avatar_id: null },
  settings: { keep_conversations: true, store_uploads: true, theme: null },
  is_admin: true,
  groups: ['admins'],
}
const adminHandlers: RouteHandlers = {
  'account.read': () => administrator,
  'admin.audit': () => ({ entries: [], next_cursor: null }),
}

it('DEC-188 /admin shows the administration to administrators, and the 404 page to everybody else', async () => {
  open('/admin/log')
  expect(await screen.findByText('Oops! Page not found')).toBeTruthy()
  cleanup()
  open('/admin/log', adminHandlers)
  expect(await screen.findByRole('heading', { name: 'Administration', level: 1 })).toBeTruthy()
  expect(await screen.findByText(/^Nothing yet\./)).toBeTruthy()
})

it('/admin says why it cannot tell whether the user is an administrator, until it can', async () => {
  let isBroken = true
  open('/admin/log', {
    ...adminHandlers,
    'account.read': () => {
      if (isBroken) throw new ApiError({ status: 400, code: 'x', userMessage: 'Not now.' })
      return administrator
    },
  })
  const alert = within(await screen.findByRole('alert'))
  expect(alert.getByRole('heading', { level: 1 }).textContent).toBe('Something went wrong')
  expect(alert.getByText('Not now.')).toBeTruthy()
  isBroken = false
  fireEvent.click(alert.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Administration' })).toBeTruthy()
})

it('NAV-07 shows the 404 page for an unknown address', async () => {
  open('/files/none')
  expect(await screen.findByText('Oops! Page not found')).toBeTruthy()
})

/** What parts of a page ask for that no test here looks at: how far they come depends on the machine. */
const unanswered: RouteName[] = [
  'account.storedData',
  'account.usage',
  'imports.list',
  'memory.list',
  'mfa.status',
  'registry.page',
  'registry.status',
  'shares.list',
  'tools.allowed',
  'tools.ledger',
]

it.each([
  '/',
  '/settings',
  '/integrations',
  '/files',
  '/scheduled',
  '/waiting',
  '/projects/p',
  '/assistants/a',
  '/admin/log',
])('the shortcuts work at %s', async (path) => {
  open(path, {
    ...Object.fromEntries(unanswered.map((name) => [name, () => new Promise(() => undefined)])),
    ...adminHandlers,
    'schedules.list': () => ({ schedules: [] }),
    'prompts.list': () => ({ prompts: [] }),
    'projects.read': () => {
      throw new ApiError({ status: 404, code: 'project_not_found', userMessage: 'Gone.' })
    },
  })
  await screen.findByRole('heading', { level: 1, name: /^(?!Loading$)/ })
  fireEvent.keyDown(document.body, { key: '?' })
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
})

it('TOP-02 the button in the top bar opens the history', async () => {
  open('/')
  fireEvent.click(await screen.findByRole('button', { name: 'Your Conversations' }))
  expect(await screen.findByRole('dialog', { name: 'Your Conversations' })).toBeTruthy()
  expect(await screen.findByText('No conversations yet')).toBeTruthy()
})

it.each(['/', '/projects/p', '/assistants/a', '/scheduled', '/scheduled/new', '/waiting', '/waiting/'])(
  'the conversations are beside the page at %s',
  async (path) => {
    open(path, {
      'schedules.list': () => ({ schedules: [] }),
      'projects.read': () => {
        throw new ApiError({ status: 404, code: 'project_not_found', userMessage: 'Gone.' })
      },
    })
    expect(await screen.findByRole('button', { name: 'Your Conversations' })).toBeTruthy()
  },
)

it('NAV-01 redirects a visitor who is not signed in to the sign-in page', async () => {
  fakeApi({})
  removeSession()
  history.pushState({}, '', '/settings')
  render(<App />)
  expect(await findSignInButton()).toBeTruthy()
  expect(location.pathname).toBe('/auth')
})

it('ERR-10 ERR-11 DEC-017 redirects to the sign-in page 3 s after a message was sent without a session', async () => {
  const api = open('/')
  const input = await findMessageField()
  await screen.findByRole('link', { name: 'Connect Tools' })
  removeSession()
  const leavePage = holdTimers(3_000)
  fireEvent.change(input, { target: { value: 'Hi' } })
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(await screen.findByText('Authentication Required')).toBeTruthy()
  expect(location.pathname).toBe('/')
  expect(api.requestsTo('chat.send')).toEqual([])
  act(leavePage)
  expect(await findSignInButton()).toBeTruthy()
  expect(location.pathname).toBe('/auth')
})

it('AUTH-14 ERR-10 opens the sign-in page when the token refresh is rejected, and says why', async () => {
  // expires within a minute, so the token is refreshed at once
  storeSession(undefined, 60)
  const leavePage = holdTimers(authRedirectMs)
  const { poolRequests } = open('/', {}, { GetTokensFromRefreshToken: createRevokedResponse })
  expect(await screen.findByText('Authentication Required')).toBeTruthy()
  expect(location.pathname).toBe('/')
  act(leavePage)
  expect(await findSignInButton()).toBeTruthy()
  expect(poolRequests).toContain('GetTokensFromRefreshToken')
})

it('AUTH-14 keeps the session when the token refresh gets no response', async () => {
  storeSession(undefined, 60)
  const { poolRequests } = open('/')
  expect(await findMessageField()).toBeTruthy()
  await waitFor(() => expect(poolRequests).toContain('GetTokensFromRefreshToken'))
  expect(location.pathname).toBe('/')
})

it('AUTH-14 ends the session when the user signs out in another tab', async () => {
  open('/')
  await findMessageField()
  removeSession()
  dispatchEvent(new StorageEvent('storage', { key: 'juno.sign-out', newValue: '1' }))
  expect(await findSignInButton()).toBeTruthy()
})

it('AUTH-14 ends a session that the API has ended, and says why', async () => {
  const leavePage = holdTimers(authRedirectMs)
  open('/', {
    'sessions.list': () => {
      throw new ApiError({ status: 401, code: 'session_ended', userMessage: 'Please sign in again.' })
    },
  })
  await findMessageField()
  fireEvent.click(screen.getByRole('button', { name: 'Your Conversations' }))
  expect(await screen.findByText('Authentication Required')).toBeTruthy()
  expect(location.pathname).toBe('/')
  act(leavePage)
  expect(await findSignInButton()).toBeTruthy()
  expect(
    await screen.findByText(
      'Two-factor authentication was switched on for your account. Please sign in again.',
    ),
  ).toBeTruthy()
})
