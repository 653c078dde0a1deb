import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { DeleteConversationsDialog } from './delete-conversations-dialog.tsx'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

it('asks the service until nothing remains, whatever the page knows', async () => {
  const left = [2, 0]
  fakeApi({
    'account.forgetConversations': () => {
      expect(showToast).not.toHaveBeenCalled()
      return { deleted: 1, remaining: left.shift() ?? 0 }
    },
  })
  renderPage(<DeleteConversationsDialog open onOpenChange={() => undefined} conversationCount={0} />)
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(showToast).toHaveBeenCalled())
  expect(left).toEqual([])
})
