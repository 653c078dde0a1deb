import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { ShareDialog } from './share-dialog.tsx'

it('says when a link ends, and leads to the links in the settings', async () => {
  fakeApi({
    'shares.list': () => ({ shares: [] }),
    'shares.create': ({ params: { sessionId } }) => ({
      success: true,
      share: {
        id: 'l1',
        session_id: sessionId,
        secret: 'S'.repeat(43),
        audience: 'link',
        title: 'Rome',
        message_count: 2,
        created_at: '2026-11-20T09:00:00Z',
        ends_at: '2026-12-20T09:00:00Z',
      },
    }),
  })
  renderPage(
    <ShareDialog
      conversation={{
        id: 's1',
        user_id: 'u1',
        title: 'Rome',
        created_at: '2026-11-20T09:00:00Z',
        updated_at: '2026-11-20T09:00:00Z',
        message_count: 2,
      }}
      open
      onClose={() => undefined}
      findFocusTarget={() => null}
    />,
  )
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Create link' })))
  expect((await screen.findByRole('link', { name: 'Settings' })).getAttribute('href')).toBe('/settings#links')
})
