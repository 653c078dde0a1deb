import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { PageProviders, renderPage } from '../../../../test/support/render-page.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { composerDraftKey, readDraft, saveDraft } from '../../lib/input/drafts.ts'
import { readLastChat, rememberChat } from '../../lib/navigation/last-chat.ts'
import { closeUserResources } from '../../lib/actions/user-resources.ts'
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

it('leaves the conversations, the drafts and the last chat of somebody who has signed in meanwhile', async () => {
  const deletion = Promise.withResolvers<{ deleted: number; remaining: number }>()
  const responses = [deletion.promise]
  const api = fakeApi({
    'account.forgetConversations': () => responses.shift() ?? { deleted: 3, remaining: 0 },
  })
  const { client } = renderPage(
    <DeleteConversationsDialog open onOpenChange={() => undefined} conversationCount={1} />,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(api.requestsTo('account.forgetConversations')).toHaveLength(1))
  closeUserResources(client)
  const key = composerDraftKey('ben', 'c1')
  saveDraft(key, 'text', 'Dear Ann')
  rememberChat('ben', '/chat/c1')
  await act(async () => deletion.resolve({ deleted: 1, remaining: 3 }))
  await act(async () => undefined)
  expect(api.requestsTo('account.forgetConversations')).toHaveLength(1)
  expect([readDraft(key), readLastChat().userId]).toEqual(['Dear Ann', 'ben'])
})

it('does not ask about no conversations while it closes', async () => {
  const dialog = (count: number) => (
    <DeleteConversationsDialog open onOpenChange={() => undefined} conversationCount={count} />
  )
  const { rerender } = render(dialog(3), { wrapper: PageProviders })
  rerender(dialog(0))
  expect(screen.getByRole('dialog', { name: 'Delete 3 saved conversations?' })).toBeTruthy()
})
