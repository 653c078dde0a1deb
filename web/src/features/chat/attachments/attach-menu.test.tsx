import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { limitTools, renderPage } from '../../../../../test/support/render-page.tsx'
import { AttachMenu } from './attach-menu.tsx'

it('has no Google Drive for somebody whose groups allow no tools', async () => {
  const mediaDevices = { value: { getDisplayMedia: () => undefined } }
  vi.stubGlobal('navigator', Object.create(navigator, { mediaDevices }))
  const { client } = renderPage(<AttachMenu onFiles={() => true} />)
  act(() => limitTools(client, 'none'))
  fireEvent.pointerDown(screen.getByRole('button', { name: 'More to attach' }), { button: 0, ctrlKey: false })
  await screen.findByRole('menuitem', { name: 'Take a screenshot' })
  expect(screen.queryByRole('menuitem', { name: 'Attach from Google Drive' })).toBeNull()
})
