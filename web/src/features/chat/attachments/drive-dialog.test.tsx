import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { DriveDialog } from './drive-dialog.tsx'

const file = { id: 'a', name: 'Plan', type: 'text/plain', size: 3, modified_at: null }

it('a search that fails leaves the field to search again', async () => {
  fakeApi({
    'drive.list': ({ query: { query } }) => {
      if (query === 'x') throw new ApiError({ status: 502, code: 'drive_failed', userMessage: 'It is busy.' })
      return { files: [{ ...file, name: query || 'Plan' }], more: false }
    },
  })
  renderPage(<DriveDialog onFiles={() => true} onClose={() => undefined} />)
  await screen.findByText('Plan')
  const field = screen.getByLabelText('Search your Drive')
  fireEvent.change(field, { target: { value: 'x' } })
  expect((await screen.findByRole('alert')).textContent).toContain('It is busy.')
  fireEvent.change(field, { target: { value: 'tea' } })
  await screen.findByText('tea')
})

it('a file that the message has no room for is not called attached', async () => {
  fakeApi({ 'drive.list': () => ({ files: [file], more: false }) })
  const onFiles = vi.fn<() => boolean>(() => false)
  renderPage(<DriveDialog onFiles={onFiles} onClose={() => undefined} />)
  const button = await screen.findByRole('button', { name: 'Attach Plan' })
  fireEvent.click(button)
  expect(button.textContent).toBe('Attach')
  onFiles.mockReturnValue(true)
  fireEvent.click(button)
  expect(button.textContent).toBe('Attached')
  expect(button.getAttribute('aria-label')).toBe('Plan is attached')
})
