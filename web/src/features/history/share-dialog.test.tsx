import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { renderPage } from '../../../../test/support/render-page.tsx'
import { siteState } from '../../lib/sign-in/site-state.ts'
import { ShareDialog } from './share-dialog.tsx'

const aShare = {
  id: 'l1',
  session_id: 's1',
  secret: 'S'.repeat(43),
  audience: 'link',
  title: 'Rome',
  message_count: 2,
  created_at: '2026-11-20T09:00:00Z',
  ends_at: '2026-12-20T09:00:00Z',
} as const
const conversation = {
  id: 's1',
  user_id: 'u1',
  title: 'Rome',
  created_at: '2026-11-20T09:00:00Z',
  updated_at: '2026-11-20T09:00:00Z',
  message_count: 2,
}

it('says when a link ends, and leads to the links in the settings', async () => {
  fakeApi({
    'shares.list': () => ({ shares: [] }),
    'shares.create': ({ params: { sessionId } }) => ({
      success: true,
      share: { ...aShare, session_id: sessionId },
    }),
  })
  renderPage(
    <ShareDialog conversation={conversation} open onClose={() => undefined} findFocusTarget={() => null} />,
  )
  const create = await screen.findByRole<HTMLButtonElement>('button', { name: 'Create link' })
  await expect.poll(() => create.disabled).toBe(false)
  await act(async () => fireEvent.click(create))
  expect((await screen.findByRole('link', { name: 'Settings' })).getAttribute('href')).toBe('/settings#links')
})

it('the audience of the last link is offered again, and takes the focus along when it has loaded', async () => {
  const list = Promise.withResolvers<void>()
  fakeApi({
    'shares.list': async () => {
      await list.promise
      return { shares: [{ ...aShare, audience: 'people' }] }
    },
  })
  renderPage(
    <ShareDialog conversation={conversation} open onClose={() => undefined} findFocusTarget={() => null} />,
  )
  const [outside, inside] = await screen.findAllByRole('radio')
  act(() => outside?.focus())
  await act(async () => list.resolve())
  await expect.poll(() => inside?.getAttribute('aria-checked')).toBe('true')
  expect(document.activeElement).toBe(inside)
})

it('no link is created for another audience before the last one has loaded', async () => {
  const list = Promise.withResolvers<void>()
  const api = fakeApi({
    'shares.list': async () => {
      await list.promise
      return { shares: [{ ...aShare, audience: 'people' }] }
    },
    'shares.create': () => ({ success: true, share: { ...aShare, audience: 'people' } }),
  })
  renderPage(
    <ShareDialog conversation={conversation} open onClose={() => undefined} findFocusTarget={() => null} />,
  )
  const create = await screen.findByRole<HTMLButtonElement>('button', { name: 'Create link' })
  await act(async () => fireEvent.click(create))
  await act(async () => list.resolve())
  await expect.poll(() => create.disabled).toBe(false)
  await act(async () => fireEvent.click(create))
  await expect
    .poll(() => api.requestsTo('shares.create').map(({ body }) => body?.audience))
    .toEqual(['people'])
})

it('where not everybody may sign up, people here come first', async () => {
  siteState.setState({ notice: null, signUp: 'closed', replies: 'on' })
  onTestFinished(() => siteState.setState(undefined))
  const api = fakeApi({
    'shares.list': () => ({ shares: [] }),
    'shares.create': () => ({ success: true, share: { ...aShare, audience: 'people' } }),
  })
  renderPage(
    <ShareDialog conversation={conversation} open onClose={() => undefined} findFocusTarget={() => null} />,
  )
  const create = await screen.findByRole<HTMLButtonElement>('button', { name: 'Create link' })
  await expect.poll(() => create.disabled).toBe(false)
  expect(screen.getAllByRole('radio')[0]?.textContent).toContain('People here')
  await act(async () => fireEvent.click(create))
  expect(api.requestsTo('shares.create').map(({ body }) => body?.audience)).toEqual(['people'])
})

it('what was chosen for one conversation is not shown of another (outline/outline#2743)', async () => {
  fakeApi({ 'shares.list': () => ({ shares: [{ ...aShare, audience: 'people' }] }) })
  const openFor = (id: string) =>
    renderPage(
      <ShareDialog
        key={id}
        conversation={{ ...conversation, id }}
        open
        onClose={() => undefined}
        findFocusTarget={() => null}
      />,
    )
  const isInside = () => screen.getAllByRole('radio')[1]?.getAttribute('aria-checked')
  const first = openFor('s1')
  await expect.poll(isInside).toBe('true')
  first.unmount()
  openFor('s2')
  await act(async () => undefined)
  expect(isInside()).toBe('false')
})
