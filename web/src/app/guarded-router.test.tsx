import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { use, useState } from 'react'
import { Link, Route, Routes, useNavigate } from 'react-router'
import { beforeEach, expect, it } from 'vitest'
import { canReloadSilently, requestLeave, useLeaveGuard } from '../lib/leave-guard.ts'
import { GuardedRouter } from './guarded-router.tsx'

/** What is written outlives one of the pages. */
const outlives = (pathname: string) => pathname === '/kept' || pathname === '/slow'

const never = new Promise<never>(() => undefined)
const Slow = () => use(never)

/** What the page shows when the call that navigates returns. */
let shownAtReturn: string | null = null

function Editor() {
  const [dirty, setDirty] = useState(false)
  const navigate = useNavigate()
  const goAtOnce = () => {
    void navigate('/other', { flushSync: true })
    shownAtReturn = document.body.textContent
  }
  const { isAsking, stay, leave } = useLeaveGuard(dirty, outlives)
  return (
    <>
      <button onClick={() => setDirty(true)}>Write</button>
      <button onClick={() => setDirty(false)}>Save</button>
      <Link to="/other">Other</Link>
      <Link to="/editor">Here</Link>
      <Link to="../kept">Kept</Link>
      <Link to="/slow">Slow</Link>
      <button onClick={goAtOnce}>At once</button>
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
const path = () => location.pathname
const isAsking = () => screen.queryByText('Leave') !== null

beforeEach(() => {
  history.pushState({ idx: 0 }, '', '/start')
  history.pushState({ idx: 1 }, '', '/editor')
  render(
    <GuardedRouter>
      <Routes>
        <Route path="/start" element={<p>The start</p>} />
        <Route path="/editor" element={<Editor />} />
        <Route path="/other" element={<p>The other</p>} />
        <Route path="/slow" element={<Slow />} />
        <Route path="/kept" element={<p>The one that keeps it</p>} />
      </Routes>
    </GuardedRouter>,
  )
})

it('a link is followed at once where nothing is lost', async () => {
  press('Other')
  expect(await screen.findByText('The other')).toBeDefined()
})

it('a navigation that asks for it is on the page when the call returns', () => {
  press('At once')
  expect(shownAtReturn).toBe('The other')
})

it('a link to a page that loses nothing is followed at once, and so is the way back', async () => {
  press('Write')
  press('Kept')
  expect(await screen.findByText('The one that keeps it')).toBeDefined()
  act(() => history.back())
  expect(await screen.findByText('Other')).toBeDefined()
  expect(isAsking()).toBe(false)
})

it('the way back to what the page still shows is not asked about', async () => {
  press('Write')
  await act(async () => press('Slow'))
  expect(path()).toBe('/slow')
  expect(screen.getByText('Write')).toBeDefined()
  act(() => history.back())
  await waitFor(() => expect(path()).toBe('/editor'))
  expect(isAsking()).toBe(false)
})

it('a link asks for confirmation where something would be lost, and is followed afterwards', async () => {
  press('Write')
  press('Other')
  expect(path()).toBe('/editor')
  press('Stay')
  expect(isAsking()).toBe(false)
  press('Other')
  press('Leave')
  expect(await screen.findByText('The other')).toBeDefined()
  expect(path()).toBe('/other')
})

it('the browser’s Back asks too, and the address stays that of the page', async () => {
  press('Write')
  act(() => history.back())
  await waitFor(() => expect(isAsking()).toBe(true))
  await waitFor(() => expect(path()).toBe('/editor'))
  press('Stay')
  expect(screen.getByText('Write')).toBeDefined()
})

it('leaving needs no confirmation when everything is saved', async () => {
  press('Write')
  press('Save')
  press('Other')
  expect(await screen.findByText('The other')).toBeDefined()
})

it('a link to the open page asks too: it begins again', () => {
  press('Write')
  press('Here')
  expect(isAsking()).toBe(true)
})

it('logging out asks as well, and closing the page warns', () => {
  let left = false
  press('Write')
  act(() => requestLeave(() => (left = true)))
  expect([isAsking(), left]).toEqual([true, false])
  press('Leave')
  expect(left).toBe(true)
})

it('the page does not reload automatically while unsaved work would be lost', () => {
  expect(canReloadSilently()).toBe(true)
  press('Write')
  expect(canReloadSilently()).toBe(false)
  press('Save')
  expect(canReloadSilently()).toBe(true)
})
