import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { use, useLayoutEffect, useState } from 'react'
import { Link, matchPath, Router, Routes, useNavigate, useSearchParams } from './router.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import { isLeaveGuarded, requestLeave, useLeaveGuard } from '../input/leave-guard.ts'
import { canReloadSilently } from '../browser/reload-page.ts'

const never = new Promise<never>(() => undefined)
const Slow = () => use(never)

/** Whether the editor still guarded its text when the page that replaces it appeared. */
let isGuardedAfterLeaving: boolean | undefined

function Other() {
  useLayoutEffect(() => {
    isGuardedAfterLeaving = isLeaveGuarded()
  }, [])
  return <p>The other</p>
}

/** The text of the page when the call that navigates returns. */
let textAfterNavigation: string | null = null

function Editor() {
  const [isDirty, setIsDirty] = useState(false)
  const navigate = useNavigate()
  const [, setParams] = useSearchParams()
  const navigateSynchronously = () => {
    navigate('/other', { flushSync: true })
    textAfterNavigation = document.body.textContent
  }
  const { isAsking, stay, leave } = useLeaveGuard(isDirty)
  return (
    <>
      <button onClick={() => setIsDirty(true)}>Write</button>
      <button onClick={() => setIsDirty(false)}>Save</button>
      <Link to="/other">Other</Link>
      <Link to="/editor">Here</Link>
      <Link to="/slow">Slow</Link>
      <button onClick={navigateSynchronously}>At once</button>
      <button onClick={() => setParams({ q: 'a b' }, { replace: true })}>Search</button>
      <button onClick={() => setParams({}, { replace: true })}>Search nothing</button>
      {isAsking && (
        <dialog open>
          <button onClick={stay}>Stay</button>
          <button onClick={leave}>Leave</button>
        </dialog>
      )}
    </>
  )
}

const press = (name: string) => fireEvent.click(screen.getByText(name))
const getPath = () => location.pathname
const isAsking = () => screen.queryByText('Leave') !== null

beforeEach(() => {
  history.pushState({ idx: 0 }, '', '/start')
  history.pushState({ idx: 1 }, '', '/editor')
  render(
    <Router>
      <Routes
        pages={{ '/start': <p>The start</p>, '/editor': <Editor />, '/other': <Other />, '/slow': <Slow /> }}
      />
    </Router>,
  )
})

it('follows a link at once if nothing would be lost', async () => {
  press('Other')
  expect(await screen.findByText('The other')).toBeDefined()
})

it('a navigation with flushSync is rendered when the call returns', () => {
  press('At once')
  // others may have left an element in the body
  expect(textAfterNavigation).toContain('The other')
  expect(textAfterNavigation).not.toContain('At once')
})

it('a page that has disappeared asks nothing, so Back works in the moment the next page appears', async () => {
  press('Write')
  press('Other')
  press('Leave')
  expect(await screen.findByText('The other')).toBeDefined()
  expect(isGuardedAfterLeaving).toBe(false)
})

it('does not ask when the user goes back to the page that is still shown', async () => {
  await act(async () => press('Slow'))
  await act(async () => press('Write'))
  expect(getPath()).toBe('/slow')
  expect(screen.getByText('Write')).toBeDefined()
  act(() => history.back())
  await waitFor(() => expect(getPath()).toBe('/editor'))
  expect(isAsking()).toBe(false)
})

it('asks for confirmation before it follows a link that would lose text', async () => {
  press('Write')
  press('Other')
  expect(getPath()).toBe('/editor')
  press('Stay')
  expect(isAsking()).toBe(false)
  press('Other')
  press('Leave')
  expect(await screen.findByText('The other')).toBeDefined()
  expect(getPath()).toBe('/other')
})

it('asks for confirmation on the browser’s Back button too, and keeps the address', async () => {
  press('Write')
  act(() => history.back())
  await waitFor(() => expect(isAsking()).toBe(true))
  await waitFor(() => expect(getPath()).toBe('/editor'))
  press('Stay')
  expect(screen.getByText('Write')).toBeDefined()
})

it('does not ask for confirmation if everything is saved', async () => {
  press('Write')
  press('Save')
  press('Other')
  expect(await screen.findByText('The other')).toBeDefined()
})

it('asks for confirmation on a link to the open page too, because it would be rendered anew', () => {
  press('Write')
  press('Here')
  expect(isAsking()).toBe(true)
})

it('asks for confirmation before logging out', () => {
  let hasLeft = false
  press('Write')
  act(() => requestLeave(() => (hasLeft = true)))
  expect([isAsking(), hasLeft]).toEqual([true, false])
  press('Leave')
  expect(hasLeft).toBe(true)
})

it('does not reload the page automatically while unsaved text would be lost', () => {
  expect(canReloadSilently()).toBe(true)
  press('Write')
  expect(canReloadSilently()).toBe(false)
  press('Save')
  expect(canReloadSilently()).toBe(true)
})

it.each([
  ['/', '/', {}],
  ['/settings', '/Settings/', {}],
  ['/projects/:id', '/projects/a%2Fb', { id: 'a/b' }],
  ['/projects/:id', '/projects/%zz', { id: '%zz' }],
  ['/projects/:id', '/projects/', undefined],
  ['/projects/:id', '/projects/a/publish', undefined],
  ['/projects/:id/publish', '/projects/a', undefined],
  ['/admin/*', '/admin', {}],
  ['/admin/*', '/admin/users/a', {}],
  ['/admin/*', '/administer', undefined],
  ['*', '/any/thing', {}],
])('the path %s and the address %s', (path, address, params) => {
  expect(matchPath(path, address)).toEqual(params)
})

it('a link to the address that is shown adds no entry to the history; one to another does, and is where Back leads from', async () => {
  const { length } = history
  press('Here')
  expect([history.length, history.state]).toMatchObject([length, { idx: 1 }])
  press('Other')
  expect(await screen.findByText('The other')).toBeDefined()
  expect(history.state).toMatchObject({ idx: 2 })
})

it.each(['ctrlKey', 'metaKey', 'shiftKey', 'altKey'])(
  'leaves a link that is pressed with %s to the browser',
  (key) => {
    // jsdom would follow it
    const keep = vi.fn<(event: Event) => void>((event) => event.preventDefault())
    addEventListener('click', keep, { once: true })
    fireEvent.click(screen.getByText('Other'), { [key]: true })
    expect(keep).toHaveBeenCalledOnce()
    expect(getPath()).toBe('/editor')
  },
)

it('a query that is replaced leaves the path, and no question mark when it is empty', () => {
  press('Search')
  expect(location.pathname + location.search).toBe('/editor?q=a+b')
  press('Search nothing')
  expect(location.href).toMatch(/\/editor$/)
})
