import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { AuthError } from './auth-errors.ts'
import { TotpStep } from './totp-step.tsx'

type SubmitCode = (code: string) => Promise<AuthError | undefined>
const onVerify = vi.fn<SubmitCode>()
const onBackupCode = vi.fn<SubmitCode>()
const onCancel = vi.fn<() => void>()
const refusedError: AuthError = { kind: 'code-refused', field: 'code', userMessage: 'Not that one.' }

beforeEach(() => {
  for (const mock of [onVerify, onBackupCode]) mock.mockReset().mockResolvedValue(undefined)
})

function open() {
  const { container } = render(
    <TotpStep {...{ onVerify, onBackupCode, onCancel, isWaitingForNextCode: false }} />,
  )
  return {
    // Enter in a field clicks the first submit button, unless that is disabled
    pressEnter: () =>
      act(async () => fireEvent.click(container.querySelector('button[type="submit"]') ?? container)),
  }
}
const getField = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const type = (label: string, value: string) => fireEvent.change(getField(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const getVerifyButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Verify' })

it('MFA-07 MFA-09 says that the code is missing or incomplete', async () => {
  const { pressEnter } = open()
  await pressEnter()
  expect(await screen.findByText('Please enter a verification code')).toBeDefined()
  type('Verification code', '12345')
  await pressEnter()
  expect(await screen.findByText('Please enter a valid 6-digit code')).toBeDefined()
  expect(onVerify).not.toHaveBeenCalled()
})

it('MFA-08 MFA-10 LIM-05 accepts six digits and submits them automatically', async () => {
  open()
  type('Verification code', '12a34')
  expect(getField('Verification code').value).toBe('1234')
  expect(getVerifyButton().disabled).toBe(true)
  type('Verification code', '123 456 7')
  await waitFor(() => expect(onVerify).toHaveBeenCalledWith('123456'))
})

it('MFA-10 MFA-11 a backup code has up to ten capital characters, and can be submitted once the field is not empty', async () => {
  onBackupCode.mockResolvedValueOnce(refusedError)
  open()
  press('Use a backup code')
  expect(getVerifyButton().disabled).toBe(true)
  type('Backup code', 'a')
  expect(getVerifyButton().disabled).toBe(false)
  type('Backup code', ' 7qk2m-9xwta99')
  expect(getField('Backup code').value).toBe('7QK2M9XWTA')
  press('Verify')
  expect(await screen.findByText('Not that one.')).toBeDefined()
  expect(onBackupCode).toHaveBeenCalledWith('7QK2M9XWTA')
  expect(getField('Backup code').value).toBe('')
  press('Use the app’s code')
  expect(getField('Verification code').value).toBe('')
  expect(screen.queryByText('Not that one.')).toBeNull()
})

it('cannot be cancelled while a code is being verified, because it could still sign in', async () => {
  const result = Promise.withResolvers<AuthError | undefined>()
  onVerify.mockReturnValueOnce(result.promise)
  open()
  const cancel = screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' })
  type('Verification code', '123456')
  expect(cancel.disabled).toBe(true)
  await waitFor(() => expect(onVerify).toHaveBeenCalledOnce())
  await act(async () => result.resolve(refusedError))
  expect(cancel.disabled).toBe(false)
})

it('keeps the code after a network error, so that it can be submitted again', async () => {
  onBackupCode.mockResolvedValue({ kind: 'other', field: 'form', userMessage: 'No connection.' })
  open()
  press('Use a backup code')
  type('Backup code', '7QK2M9XWTA')
  press('Verify')
  expect(await screen.findByText('No connection.')).toBeDefined()
  expect(getField('Backup code').value).toBe('7QK2M9XWTA')
})
