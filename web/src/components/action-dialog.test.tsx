import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderPage } from '../../../test/support/render-page.tsx'
import { requestLeave } from '../lib/leave-guard.ts'
import { ActionDialog } from './action-dialog.tsx'

const open = (isDirty: boolean) =>
  renderPage(
    <ActionDialog
      open
      onClose={() => undefined}
      title="New prompt"
      confirmLabel="Save"
      isDirty={isDirty}
      onConfirm={async () => undefined}
    >
      <input aria-label="Name" />
    </ActionDialog>,
  )

it('asks before leaving the page discards what was entered', () => {
  open(true)
  const leave = vi.fn<() => void>()
  act(() => requestLeave(leave))
  expect(leave).not.toHaveBeenCalled()
  screen.getByText('Your changes are not saved yet.')
  fireEvent.click(screen.getByRole('button', { name: 'Discard changes' }))
  expect(leave).toHaveBeenCalledOnce()
})

it('leaves at once without input', () => {
  open(false)
  const leave = vi.fn<() => void>()
  act(() => requestLeave(leave))
  expect(leave).toHaveBeenCalledOnce()
})
