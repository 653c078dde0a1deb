import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from '../../../../../test/support/memory-router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import { showToast } from '../../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import type { RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { fakeApi, removeSession, storeSession } from '../../../../../test/support/fake-api.ts'
import { TwoFactorRow } from './two-factor-row.tsx'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const codes = Array.from({ length: 10 }, (_, index) => `7QK2M9XWT${index}`)
const disabledStatus = { enabled: false, federated: false, backupCodesLeft: 0 }
const enabledStatus = { enabled: true, federated: false, backupCodesLeft: 10 }
const apiError = (code: string, userMessage: string, status = 400) =>
  new ApiError({ status, code, userMessage })

type Status = RouteResponse<'mfa.status'>
let status: () => Promise<Status>
const setup = vi.fn<(body: RouteRequest<'mfa.setup'>) => Promise<RouteResponse<'mfa.setup'>>>()

beforeEach(() => {
  vi.mocked(showToast).mockReset()
  setup
    .mockReset()
    .mockImplementation(async ({ action }) =>
      action === 'generate'
        ? { success: true, qrCodeUrl: 'otpauth://totp/Juno:a?secret=ABCDEFGH', backupCodes: codes }
        : { success: true, ...(action === 'regenerate' && { backupCodes: codes }) },
    )
  fakeApi({ 'mfa.status': () => status(), 'mfa.setup': ({ body }) => setup(body) })
})

async function open(initialStatus: Status | (() => Promise<Status>)) {
  status = typeof initialStatus === 'function' ? initialStatus : async () => initialStatus
  const client = new QueryClient({ defaultOptions: { queries: { retryDelay: 0 } } })
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <TwoFactorRow />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  await act(async () => undefined)
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const typeCode = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })
const listToasts = () =>
  vi.mocked(showToast).mock.calls.map(([kind, title, options]) => [kind, title, options?.description])

it('SET-16 SET-17 SET-19 recommends it while it is off', async () => {
  await open(disabledStatus)
  expect(await screen.findByText('Recommended')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Enable 2FA' })).toBeDefined()
  expect(screen.getByText('Add an extra layer of security to your account')).toBeDefined()
})

it('SET-15 SET-18 says that it is on, and offers to disable it', async () => {
  await open(enabledStatus)
  expect(await screen.findByText(/^Your account is protected with 2FA/)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Disable' })).toBeDefined()
  expect(screen.queryByText('Recommended')).toBeNull()
})

it('MFA-19 requests a key automatically, and shows a spinner meanwhile', async () => {
  const key = Promise.withResolvers<RouteResponse<'mfa.setup'>>()
  setup.mockReturnValueOnce(key.promise)
  await open(disabledStatus)
  await press('Enable 2FA')
  await waitFor(() => expect(setup.mock.calls).toEqual([[{ action: 'generate' }]]))
  expect(document.querySelector('.animate-spin')).not.toBeNull()
  expect(screen.getByText('Preparing your key…').role).toBe('status')
  expect(screen.queryByRole('img')).toBeNull()
  await act(async () =>
    key.resolve({ success: true, qrCodeUrl: 'otpauth://totp/Juno:a?secret=ABCDEFGH', backupCodes: codes }),
  )
  expect(await screen.findByRole('img')).toBeDefined()
  expect(document.querySelector('.animate-spin')).toBeNull()
})

it('MFA-21 MFA-23 draws the QR code, and asks for the verification code', async () => {
  await open(disabledStatus)
  await press('Enable 2FA')
  const qr = await screen.findByRole('img', { name: 'QR code for your authenticator app' })
  expect(qr.getAttribute('width')).toBe('256')
  const [background, modules] = Array.from(qr.children).map((part) => part.getAttribute('fill'))
  expect([background, modules]).toEqual(['#ffffff', '#000000'])
  // behind the quiet zone
  expect(qr.querySelector('path')?.getAttribute('d')).toMatch(/^M4 4h1v1h-1z/)
  expect(screen.getByText('ABCD EFGH')).toBeDefined()
  expect(screen.getByLabelText('Verification code')).toBeDefined()
})

it('a code that is refused is entered again, also if its button was pressed', async () => {
  await open(disabledStatus)
  await press('Enable 2FA')
  await screen.findByRole('img')
  setup.mockRejectedValueOnce(new NetworkError())
  await typeCode('Verification code', '111111')
  const verify = await screen.findByRole('button', { name: 'Verify' })
  await waitFor(() => expect(verify.ariaBusy).toBeNull())
  setup.mockRejectedValueOnce(apiError('invalid_code', 'Invalid verification code. Please try again.'))
  verify.focus()
  await press('Verify')
  expect(await screen.findByText('Invalid verification code. Please try again.')).toBeDefined()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Verification code')))
})

/** Enables two-factor, up to the list of backup codes. */
async function enable() {
  await open(disabledStatus)
  await press('Enable 2FA')
  await screen.findByRole('img')
  status = async () => enabledStatus
  await typeCode('Verification code', '123456')
  return screen.findByRole('list', { name: 'Backup codes' })
}

it('MFA-24 shows the backup codes in two columns', async () => {
  const list = await enable()
  expect(list.className).toContain('grid-cols-2')
  expect(Array.from(list.children).map(({ textContent }) => textContent?.slice(-10))).toEqual(codes)
  expect(setup.mock.calls.map(([body]) => body)).toEqual([
    { action: 'generate' },
    { action: 'verify', token: '123456' },
  ])
})

it('MFA-33 DEC-025 says that it is on in a single toast, whose text is updated', async () => {
  await enable()
  expect(listToasts()).toEqual([['success', '2FA Enabled Successfully!', undefined]])
  await press('Continue to Settings')
  expect(listToasts().slice(1)).toEqual([['success', '2FA Enabled', undefined]])
  const [firstId, secondId] = vi.mocked(showToast).mock.calls.map(([, , options]) => options?.id)
  expect(firstId).toBe(secondId)
})

it('MFA-25 MFA-26 MFA-30 continues to the settings, which show that it is on and do not show the codes again', async () => {
  await enable()
  await press('Continue to Settings')
  expect(await screen.findByText(/Your account is protected with 2FA/)).toBeDefined()
  expect(screen.getByText('10 backup codes left')).toBeDefined()
  await waitFor(() => expect(screen.queryByText(codes[0] ?? '')).toBeNull())
  expect(screen.queryByText('Recommended')).toBeNull()
})

it('MFA-26 the backup codes, which are shown only once, can be closed only with a button', async () => {
  await enable()
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  // Radix starts to listen for clicks outside in the next task
  await new Promise((resolve) => setTimeout(resolve))
  fireEvent.pointerDown(document.querySelector('[role=dialog]')?.parentElement ?? document.body)
  await act(async () => undefined)
  expect(screen.getByRole('list', { name: 'Backup codes' })).toBeDefined()
  await press('Close')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('MFA-26 stays open while a code is being verified, because the backup codes follow', async () => {
  const response = Promise.withResolvers<RouteResponse<'mfa.setup'>>()
  await open(disabledStatus)
  await press('Enable 2FA')
  await screen.findByRole('img')
  setup.mockReturnValueOnce(response.promise)
  await typeCode('Verification code', '123456')
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
  await act(async () => undefined)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true)
  await act(async () => response.resolve({ success: true }))
  expect(await screen.findByRole('list', { name: 'Backup codes' })).toBeDefined()
})

it('SET-27 SET-28 copies the key, and says when copying failed', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValueOnce(undefined)
  writeText.mockRejectedValueOnce(new Error('no'))
  await open(disabledStatus)
  await press('Enable 2FA')
  const copyKey = await screen.findByRole('button', { name: 'Copy key' })
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  await act(async () => fireEvent.click(copyKey))
  expect(copyKey.textContent).toBe('Copied')
  await act(async () => fireEvent.click(copyKey))
  expect(listToasts()).toEqual([
    ['success', 'Copied to clipboard', undefined],
    ['error', 'Copy failed', 'Please copy the text manually'],
  ])
  expect(writeText.mock.calls).toEqual([['ABCDEFGH'], ['ABCDEFGH']])
})

it('MFA-37 shows the error for a wrong code and clears the field; after a lost response, "already on" means success', async () => {
  await open(disabledStatus)
  await press('Enable 2FA')
  await screen.findByRole('img')
  setup.mockRejectedValueOnce(apiError('invalid_code', 'Invalid verification code. Please try again.'))
  await typeCode('Verification code', '111111')
  expect(await screen.findByText('Invalid verification code. Please try again.')).toBeDefined()
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Verification code').value).toBe(''))
  setup.mockRejectedValueOnce(new NetworkError({ hasTimedOut: true }))
  await typeCode('Verification code', '222222')
  expect(await screen.findByText('No response. Check your connection and try again.')).toBeDefined()
  setup.mockRejectedValueOnce(apiError('two_factor_already_on', 'It is on.', 409))
  await press('Verify')
  expect(await screen.findByRole('list', { name: 'Backup codes' })).toBeDefined()
})

it('MFA-18 MFA-20 MFA-22 says why the set-up cannot start; Try Again retries, Cancel closes and leaves it off', async () => {
  await open(disabledStatus)
  await screen.findByText('Recommended')
  removeSession()
  await press('Enable 2FA')
  expect(await screen.findByText('Not authenticated')).toBeDefined()
  storeSession()
  await press('Try Again')
  expect(await screen.findByRole('img')).toBeDefined()
  expect(screen.getByText(/verification code/i)).toBeDefined()
  await press('Cancel')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('button', { name: 'Enable 2FA' })).toBeDefined()
  expect(showToast).not.toHaveBeenCalled()
})

it('SET-18 MFA-31 MFA-34 disables after a confirmation', async () => {
  const response = Promise.withResolvers<RouteResponse<'mfa.setup'>>()
  await open(enabledStatus)
  setup.mockReturnValueOnce(response.promise)
  await press('Disable')
  const dialog = within(await screen.findByRole('dialog', { name: 'Disable two-factor authentication?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Disable' }))
  // the row is behind the dialog
  expect(await screen.findByRole('button', { name: 'Disabling...', hidden: true })).toBeDefined()
  status = async () => disabledStatus
  await act(async () => response.resolve({ success: true }))
  expect(listToasts()).toEqual([
    ['success', '2FA Disabled', 'Two-factor authentication has been disabled for your account.'],
  ])
  expect(await screen.findByText('Add an extra layer of security to your account')).toBeDefined()
})

it.each([
  ['Disable', /your password alone signs you in/],
  ['New backup codes', /The codes you have now stop working at once/],
])(
  'DEC-024 DEC-148 %s explains its effect first, and does nothing after Cancel',
  async (name, consequence) => {
    await open(enabledStatus)
    await press(name)
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText(consequence)).toBeDefined()
    expect(within(dialog).queryByLabelText('Verification code')).toBeNull()
    await press('Cancel')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(setup).not.toHaveBeenCalled()
    expect(screen.getByText(/Your account is protected with 2FA/)).toBeDefined()
  },
)

it('DEC-024 asks for a code if the sign-in is too old, and accepts a backup code too', async () => {
  setup.mockRejectedValueOnce(apiError('proof_required', 'Show a code.', 403))
  await open(enabledStatus)
  await press('New backup codes')
  expect(await screen.findByRole('dialog', { name: 'Make new backup codes?' })).toBeDefined()
  // the code can be typed at once: the state is not loaded again, since nothing has changed
  status = () => Promise.withResolvers<Status>().promise
  await press('Make new codes')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Verification code')))
  status = async () => enabledStatus
  setup.mockRejectedValueOnce(apiError('invalid_code', 'Invalid verification code. Please try again.'))
  await typeCode('Verification code', '111111')
  screen.getByRole('button', { name: 'Make new codes' }).focus()
  await press('Make new codes')
  expect(await screen.findByText('Invalid verification code. Please try again.')).toBeDefined()
  // the button that was pressed is disabled until there is another code
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Verification code')))
  await press('Use a backup code')
  await typeCode('Backup code', '7qk2m9xwta')
  await press('Make new codes')
  expect(await screen.findByRole('dialog', { name: 'Save your new backup codes' })).toBeDefined()
  expect(setup.mock.lastCall).toEqual([{ action: 'regenerate', token: '7QK2M9XWTA', isBackupCode: true }])
  expect(showToast).not.toHaveBeenCalled()
})

it.each([
  [new NetworkError(), 'Failed to disable 2FA'],
  [apiError('x', 'The service is down.', 503), 'The service is down.'],
])('MFA-36 shows an error when disabling fails: %s', async (failure, description) => {
  setup.mockRejectedValueOnce(failure)
  await open(enabledStatus)
  await press('Disable')
  await press('Disable')
  await waitFor(() => expect(listToasts()).toEqual([['error', 'Error', description]]))
  expect(screen.getByText(/Your account is protected with 2FA/)).toBeDefined()
})

it('tells a user who has left the page that the new codes were not shown, and why a change failed', async () => {
  const response = Promise.withResolvers<RouteResponse<'mfa.setup'>>()
  await open(enabledStatus)
  setup.mockReturnValueOnce(response.promise)
  await press('New backup codes')
  await press('Make new codes')
  cleanup()
  await act(async () => response.resolve({ success: true, backupCodes: codes }))
  await waitFor(() => expect(listToasts()).toHaveLength(1))
  expect(listToasts()[0]?.slice(0, 2)).toEqual(['warning', 'Your new backup codes were not shown'])

  vi.mocked(showToast).mockReset()
  const rejection = Promise.withResolvers<RouteResponse<'mfa.setup'>>()
  setup.mockRejectedValueOnce(apiError('proof_required', 'Show a code.', 403))
  await open(enabledStatus)
  await press('Disable')
  await press('Disable')
  await typeCode('Verification code', '111111')
  setup.mockReturnValueOnce(rejection.promise)
  await press('Disable')
  cleanup()
  await act(async () => rejection.reject(apiError('invalid_code', 'Wrong.')))
  await waitFor(() => expect(listToasts()).toEqual([['error', 'Error', 'Wrong.']]))
})

it('MFA-32 MFA-35 says when the status could not be loaded, and offers to try again', async () => {
  await open(async () => {
    throw apiError('x', 'Down.', 503)
  })
  await waitFor(() => expect(listToasts()).toEqual([['error', 'Error', 'Failed to check 2FA status']]))
  status = async () => enabledStatus
  await press('Try again')
  expect(await screen.findByText(/Your account is protected with 2FA/)).toBeDefined()
})

it('DEC-022 tells a Google user where to set up two-factor authentication, without a button', async () => {
  await open({ ...disabledStatus, federated: true })
  expect(await screen.findByText(/Set up two-factor authentication in your Google account/)).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
})

it.each([
  [4, '4 backup codes left'],
  [3, 'Only 3 backup codes left: make new ones.'],
  [1, 'Only 1 backup code left: make new ones.'],
  [0, 'No backup codes left: make new ones.'],
])('says how many codes are left: %i', async (backupCodesLeft, text) => {
  await open({ ...enabledStatus, backupCodesLeft })
  expect(await screen.findByText(text)).toBeDefined()
})

it('the confirmation of a change stays open while the change runs', async () => {
  const response = Promise.withResolvers<RouteResponse<'mfa.setup'>>()
  setup.mockImplementation(() => response.promise)
  await open(enabledStatus)
  await press('Disable')
  const dialog = await screen.findByRole('dialog')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Disable' }))
  await waitFor(() => expect(setup).toHaveBeenCalledOnce())
  fireEvent.keyDown(dialog, { key: 'Escape' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect(screen.getByRole('dialog')).toBe(dialog)
  await act(async () => response.resolve({ success: true }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('tells somebody who has left the page once that two-factor is on', async () => {
  const response = Promise.withResolvers<RouteResponse<'mfa.setup'>>()
  await open(disabledStatus)
  await press('Enable 2FA')
  await screen.findByRole('img')
  setup.mockReturnValueOnce(response.promise)
  await typeCode('Verification code', '123456')
  await waitFor(() => expect(setup).toHaveBeenCalledTimes(2))
  cleanup()
  await act(async () => response.resolve({ success: true }))
  await waitFor(() =>
    expect(listToasts().map(([, title]) => title)).toEqual([
      'Two-factor authentication is on. You have not seen your backup codes: please create new ones.',
    ]),
  )
})
