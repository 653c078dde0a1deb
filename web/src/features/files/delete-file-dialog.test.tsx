import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from '../../../../test/support/memory-router.tsx'
import { expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { ApiError } from '../../lib/api/api-errors.ts'
import { DeleteFileDialog } from './delete-file-dialog.tsx'
import type { ListedFile } from './files-queries.ts'

const file: ListedFile = {
  id: 'f1',
  name: 'offer.pdf',
  type: 'application/pdf',
  size: 10,
  created_at: '2026-11-20T09:00:00Z',
  session_ids: [],
  project_ids: [],
}

it('does not show the error of an earlier attempt when it opens again', async () => {
  fakeApi({
    'files.delete': () => {
      throw new ApiError({ status: 503, code: 'x', userMessage: 'The storage is unavailable.' })
    },
  })
  const client = new QueryClient()
  const onClose = vi.fn<() => void>()
  const dialog = (fileToDelete: ListedFile | undefined) => (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <DeleteFileDialog file={fileToDelete} onClose={onClose} />
      </MemoryRouter>
    </QueryClientProvider>
  )
  const view = render(dialog(file))
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('The storage is unavailable.')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onClose).toHaveBeenCalledOnce()
  view.rerender(dialog(undefined))
  view.rerender(dialog(file))
  expect(screen.getByRole('button', { name: 'Delete' })).toBeDefined()
  expect(screen.queryByText('The storage is unavailable.')).toBeNull()
})
