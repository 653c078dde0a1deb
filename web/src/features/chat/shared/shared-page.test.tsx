import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from '../../../../../test/support/memory-router.tsx'
import { expect, it } from 'vitest'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { SharedPage } from './shared-page.tsx'

it('the focus goes to the first of the new messages when there are no more to show', async () => {
  const page = (content: string, next: number | null) => ({
    title: 'Plans',
    shared_at: '2026-01-01T00:00:00Z',
    ends_at: '2026-02-01T00:00:00Z',
    messages: [{ role: 'user' as const, content, files: 0 }],
    next,
  })
  fakeApi({ 'shares.view': ({ body }) => (body.page === 1 ? page('One', 2) : page('Two', null)) as never })
  render(
    <MemoryRouter path="/share#secret">
      <SharedPage renderSignedIn={() => null} />
    </MemoryRouter>,
  )
  const more = await screen.findByRole('button', { name: 'Show more messages' })
  more.focus()
  fireEvent.click(more)
  expect((await screen.findByText('Two')).closest('[tabindex]')).toBe(document.activeElement)
})
