import { act, render, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Dialog } from './dialog.tsx'

function App({ open, hasDialog = true }: { open: boolean; hasDialog?: boolean }) {
  return (
    <>
      <button type="button">Opener</button>
      <input aria-label="Elsewhere" />
      {hasDialog && (
        <Dialog open={open} onOpenChange={() => undefined} title="A dialog">
          <button type="button">Inside</button>
        </Dialog>
      )}
    </>
  )
}

async function openDialog() {
  const { rerender } = render(<App open={false} />)
  screen.getByText('Opener').focus()
  await act(async () => rerender(<App open />))
  return {
    close: () => rerender(<App open={false} />),
    remove: () => rerender(<App open hasDialog={false} />),
  }
}

it('the element that opened a dialog has the focus after the dialog has closed', async () => {
  const { close } = await openDialog()
  screen.getByText('Inside').focus()
  close()
  expect(screen.queryByRole('dialog')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('Opener')))
})

it('the opener also has it after a dialog was removed without being closed before', async () => {
  const { remove } = await openDialog()
  screen.getByText('Inside').focus()
  remove()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('Opener')))
})

it('a focus that has left the dialog stays where it is', async () => {
  const { close } = await openDialog()
  screen.getByText('Inside').focus()
  const elsewhere = screen.getByLabelText('Elsewhere')
  close()
  elsewhere.focus()
  // Radix moves the focus in a later task
  await act(async () => new Promise<void>((resolve) => void setTimeout(resolve)))
  expect(document.activeElement).toBe(elsewhere)
})
