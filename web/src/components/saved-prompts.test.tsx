import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeApi } from '../../../test/support/fake-api.ts'
import { renderPage } from '../../../test/support/render-page.tsx'
import { ApiError } from '../lib/api-errors.ts'
import { SavedPrompts } from './saved-prompts.tsx'
import { showToast } from './ui/toast.ts'

vi.mock('./ui/toast.ts')

it('a prompt that was deleted already, by the first of two clicks or elsewhere, counts as deleted', async () => {
  let prompts = [
    { id: crypto.randomUUID(), name: 'Brief', text: 'Be brief.', created_at: '2026-11-20T09:00:00Z' },
  ]
  const api = fakeApi({
    'prompts.list': () => ({ prompts }),
    'prompts.delete': () => {
      if (prompts.length === 0)
        throw new ApiError({ status: 404, code: 'prompt_not_found', userMessage: 'There is no such prompt.' })
      prompts = []
      return { success: true as const }
    },
  })
  renderPage(<SavedPrompts />)
  const button = await screen.findByRole('button', { name: 'Delete Brief' })
  fireEvent.click(button)
  fireEvent.click(button)
  await screen.findByText('No saved prompts yet.')
  await waitFor(() => expect(api.requestsTo('prompts.delete')).toHaveLength(2))
  expect(vi.mocked(showToast).mock.calls.map(([kind]) => kind)).not.toContain('error')
})
