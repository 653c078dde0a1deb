import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { emptyDataCounts } from '#shared/contracts/account.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../../test/support/render-page.tsx'
import { closeUserResources } from '../../../lib/actions/user-resources.ts'
import { DeleteUserDialog } from './delete-user-dialog.tsx'

it('does not go on in the name of somebody who has signed in after the administrator has signed out', async () => {
  const receipt = { held: emptyDataCounts, asked_at: '2026-11-20T12:00:00Z' }
  const first = Promise.withResolvers<{ success: true; done: boolean; receipt: typeof receipt }>()
  const responses = [first.promise]
  const api = fakeApi({
    'admin.deleteUser': () => responses.shift() ?? { success: true, done: true, receipt },
  })
  const user = { id: 'ben', email: 'ben@x.example' }
  const { client } = renderPage(<DeleteUserDialog user={user} open onClose={() => undefined} />)
  fireEvent.change(screen.getByRole('textbox'), { target: { value: user.email } })
  fireEvent.click(screen.getByRole('button', { name: 'Delete for good' }))
  await waitFor(() => expect(api.requestsTo('admin.deleteUser')).toHaveLength(1))
  closeUserResources(client)
  await act(async () => first.resolve({ success: true, done: false, receipt }))
  await act(async () => undefined)
  expect(api.requestsTo('admin.deleteUser')).toHaveLength(1)
})
