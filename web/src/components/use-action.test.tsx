import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { Link, Router, useLocation } from '../lib/navigation/router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import { closeUserResources } from '../lib/actions/user-resources.ts'
import { showToast } from './ui/toast.ts'
import { useAction, useActionMutation } from './use-action.ts'

vi.mock('./ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

let response: PromiseWithResolvers<string>
const request = vi.fn<() => Promise<string>>()
let input: string
let client: QueryClient
beforeEach(() => {
  vi.mocked(showToast).mockReset()
  saved.mockReset()
  input = 'x'
  more = Promise.withResolvers()
  request.mockReset().mockImplementation(() => (response = Promise.withResolvers()).promise)
  client = new QueryClient()
  history.replaceState({ idx: 0 }, '', '/?c=a')
  render(
    <QueryClientProvider client={client}>
      <Router>
        <Page />
      </Router>
    </QueryClientProvider>,
  )
})

function Page() {
  const { pathname, search } = useLocation()
  const [isShown, setIsShown] = useState(false)
  const [isHidden, setIsHidden] = useState(false)
  return (
    <>
      <output>{pathname + search}</output>
      {pathname === '/' && <CopyButton />}
      {pathname === '/' && !isHidden && <SaveButton />}
      <button onClick={() => setIsHidden(true)}>Hide</button>
      <Link to="/tools">Tools</Link>
      <Link to="/?c=a">Chat</Link>
      <textarea />
      <button onClick={() => setIsShown(true)}>Open dialog</button>
      {isShown && <div role="dialog" />}
    </>
  )
}

function CopyButton() {
  const copy = useAction(
    'copy a',
    async (_, arrive) => arrive(`/?c=${await request()}`, 'Copied'),
    'Not copied',
  )
  return (
    <button aria-busy={copy.isBusy} onClick={() => copy.start()}>
      Copy
    </button>
  )
}

const saved = vi.fn<(result: string, input: string, isShown: boolean) => void>()
function SaveButton() {
  const { isBusy, activity, data, error, start } = useActionMutation('save', {
    run: (_text: string) => request(),
    describe: (text) => text,
    onSuccess: async (result, text, owner) => {
      if (text === 'loads more') await more.promise
      saved(result, text, owner.isShown)
      if (text === 'told') owner.notify('success', 'Saved')
    },
    failureTitle: 'Not saved',
  })
  return (
    <button aria-busy={isBusy} title={activity} onClick={() => start(input)}>
      Save {data} {error?.message}
    </button>
  )
}
/** What `onSuccess` waits for. */
let more: PromiseWithResolvers<void>
const findSave = () => screen.getByText(/^Save/)

const click = (name: string) =>
  act(async () => (screen.queryByRole('link', { name }) ?? screen.getByText(name)).click())
const isBusy = () => screen.getByText('Copy').ariaBusy
const where = () => document.querySelector('output')?.textContent

it('takes a user who waited to the result', async () => {
  await click('Copy')
  expect(isBusy()).toBe('true')
  await act(async () => response.resolve('b'))
  expect(where()).toBe('/?c=b')
  expect(isBusy()).toBe('false')
  expect(showToast).not.toHaveBeenCalled()
})

it.each([
  ['shows another page', () => click('Tools'), '/tools'],
  ['types', async () => void fireEvent.input(document.querySelector('textarea') as Element), '/?c=a'],
  ['has opened a dialog', () => click('Open dialog'), '/?c=a'],
])('offers the result to a user who %s', async (_name, goOn, place) => {
  await click('Copy')
  await goOn()
  await act(async () => response.resolve('b'))
  expect(where()).toBe(place)
  expect(showToast).toHaveBeenCalledExactlyOnceWith('success', 'Copied', expect.anything())
  const { action } = vi.mocked(showToast).mock.calls[0]?.[2] ?? {}
  expect(action?.label).toBe('Open')
  await act(async () => action?.onClick())
  expect(where()).toBe('/?c=b')
})

it('is busy for whoever shows it, and does not begin twice', async () => {
  await click('Copy')
  await click('Tools')
  await click('Chat')
  expect(isBusy()).toBe('true')
  await click('Copy')
  expect(request).toHaveBeenCalledOnce()
  await act(async () => response.reject(new Error('x')))
  expect(isBusy()).toBe('false')
  expect(showToast).toHaveBeenCalledExactlyOnceWith('error', 'Not copied', { error: new Error('x') })
})

it.each([
  ['its result', () => response.resolve('b')],
  ['its failure', () => response.reject(new Error('x'))],
])('tells nobody %s after the user has signed out', async (_name, end) => {
  await click('Copy')
  closeUserResources(client)
  await act(async () => end())
  expect([where(), vi.mocked(showToast).mock.calls]).toEqual(['/?c=a', []])
})

it('an action with a result shows it where it was started', async () => {
  await act(async () => findSave().click())
  expect([findSave().ariaBusy, findSave().title]).toEqual(['true', 'x'])
  await act(async () => response.resolve('b'))
  expect(findSave().textContent).toBe('Save b ')
  expect(saved).toHaveBeenCalledExactlyOnceWith('b', 'x', true)
  await act(async () => findSave().click())
  await act(async () => response.reject(new Error('failed')))
  expect(findSave().textContent).toBe('Save  failed')
  expect(showToast).not.toHaveBeenCalled()
})

it('an action with a result is busy after a return, begins once, and a user who has gone on is told its failure', async () => {
  await act(async () => findSave().click())
  await click('Tools')
  await click('Chat')
  expect([findSave().ariaBusy, findSave().title]).toEqual(['true', 'x'])
  await act(async () => findSave().click())
  expect(request).toHaveBeenCalledOnce()
  await act(async () => response.reject(new Error('x')))
  expect(findSave().ariaBusy).toBe('false')
  expect(showToast).toHaveBeenCalledExactlyOnceWith('error', 'Not saved', { error: new Error('x') })
  await act(async () => findSave().click())
  await click('Tools')
  await act(async () => response.resolve('b'))
  expect(saved).toHaveBeenCalledExactlyOnceWith('b', 'x', false)
})

it('an owner that goes while what follows is prepared is known to have gone', async () => {
  input = 'loads more'
  await act(async () => findSave().click())
  await act(async () => response.resolve('b'))
  await click('Tools')
  await act(async () => more.resolve())
  expect(saved).toHaveBeenCalledExactlyOnceWith('b', 'loads more', false)
})

it.each([
  ['its failure', () => response.reject(new Error('x')), 'Not saved'],
  ['what follows', () => response.resolve('b'), 'Saved'],
])('an action whose owner has gone tells %s with the way back', async (_name, end, title) => {
  input = 'told'
  await act(async () => findSave().click())
  await click('Tools')
  await act(async () => end())
  expect(showToast).toHaveBeenCalledExactlyOnceWith(expect.anything(), title, expect.anything())
  const { action } = vi.mocked(showToast).mock.calls[0]?.[2] ?? {}
  expect(action?.label).toBe('Open')
  await act(async () => action?.onClick())
  expect(where()).toBe('/?c=a')
})

it('an action whose owner is shown, or was on this page, needs no way back', async () => {
  input = 'told'
  await act(async () => findSave().click())
  await act(async () => response.resolve('b'))
  expect(showToast).toHaveBeenCalledExactlyOnceWith('success', 'Saved', {})
  await act(async () => findSave().click())
  await click('Hide')
  await act(async () => response.resolve('b'))
  expect(vi.mocked(showToast).mock.lastCall).toEqual(['success', 'Saved', {}])
})
