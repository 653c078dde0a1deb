import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/support/render-page.tsx'
import { getActionErrorMessage } from '../lib/api/action-error.ts'
import { NetworkError } from '../lib/api/api-errors.ts'
import { requestLeave } from '../lib/input/leave-guard.ts'
import { useInput } from '../lib/input/use-input.ts'
import { TextField } from './ui/field.tsx'
import { showToast } from './ui/toast.ts'
import { ActionDialog } from './action-dialog.tsx'

vi.mock('./ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

function PromptDialog({
  onClose = () => undefined,
  onConfirm,
}: {
  onClose?: () => void
  onConfirm?: () => Promise<void>
}) {
  const name = useInput('prompt')
  const save = async () => {
    await onConfirm?.()
    name.markSaved('')
  }
  return (
    <ActionDialog
      open
      {...{ onClose }}
      title="New prompt"
      confirmLabel="Save"
      inputs={[name]}
      onConfirm={save}
    >
      <TextField label="Name" input={name} />
    </ActionDialog>
  )
}
const getField = () => screen.getByLabelText<HTMLInputElement>('Name')
const type = (value: string) => fireEvent.change(getField(), { target: { value } })

it('asks before leaving the page discards what was entered', () => {
  renderPage(<PromptDialog />)
  type('Letter')
  const leave = vi.fn<() => void>()
  act(() => requestLeave(leave))
  expect(leave).not.toHaveBeenCalled()
  screen.getByText('Your changes are not saved yet.')
  fireEvent.click(screen.getByRole('button', { name: 'Discard changes' }))
  expect(leave).toHaveBeenCalledOnce()
  expect(getField().value).toBe('')
})

it('leaves at once without input', () => {
  renderPage(<PromptDialog />)
  const leave = vi.fn<() => void>()
  act(() => requestLeave(leave))
  expect(leave).toHaveBeenCalledOnce()
})

it.each(['Close', 'Escape'])('%s asks before it discards, Cancel does not', (way) => {
  const onClose = vi.fn<() => void>()
  renderPage(<PromptDialog onClose={onClose} />)
  type('Letter')
  if (way === 'Close') fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  else fireEvent.keyDown(getField(), { key: 'Escape' })
  expect([onClose.mock.calls.length, getField().value]).toEqual([0, 'Letter'])
  screen.getByText('Your changes are not saved yet.')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect([onClose.mock.calls.length, getField().value]).toEqual([1, ''])
})

it('stays open with what was typed while it was saved', async () => {
  const onClose = vi.fn<() => void>()
  const saving = Promise.withResolvers<void>()
  const onConfirm = vi.fn<() => Promise<void>>(() => saving.promise)
  renderPage(<PromptDialog onClose={onClose} onConfirm={onConfirm} />)
  type('Letter')
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onConfirm).toHaveBeenCalledOnce())
  type('Letter to the bank')
  await act(async () => saving.resolve())
  const getSave = () => screen.getByRole('button', { name: 'Save' })
  await waitFor(() => expect(getSave().getAttribute('aria-busy')).toBeNull())
  expect([onClose.mock.calls.length, getField().value]).toEqual([0, 'Letter to the bank'])
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

it('a failure after the user has gone on is told, and what was typed is there again', async () => {
  const saving = Promise.withResolvers<void>()
  const dialog = <PromptDialog onConfirm={() => saving.promise} />
  const { unmount } = renderPage(dialog)
  type('Letter')
  const save = screen.getByRole('button', { name: 'Save' })
  fireEvent.click(save)
  await waitFor(() => expect(save.ariaBusy).toBe('true'))
  act(() => requestLeave(() => undefined))
  fireEvent.click(screen.getByRole('button', { name: 'Discard changes' }))
  unmount()
  await act(async () => saving.reject(new NetworkError()))
  expect(showToast).toHaveBeenCalledExactlyOnceWith('error', 'New prompt', {
    error: expect.any(NetworkError),
    describeError: getActionErrorMessage,
  })
  renderPage(dialog)
  expect(getField().value).toBe('Letter')
})

it('shows the error of an action, which stands below fields that may be more than the dialog shows', async () => {
  const scrollIntoView = vi.spyOn(Element.prototype, 'scrollIntoView')
  renderPage(<PromptDialog onConfirm={() => Promise.reject(new Error('Failed'))} />)
  for (const times of [1, 2]) {
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(scrollIntoView).toHaveBeenCalledTimes(times))
    expect(scrollIntoView.mock.contexts.at(-1)).toBe(screen.getByRole('alert'))
  }
})
