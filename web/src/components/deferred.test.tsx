import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { deferred } from './deferred.tsx'

afterEach(() => {
  vi.useRealTimers()
})

const Part = () => <p>The part</p>
const importError = () => new TypeError('Failed to fetch dynamically imported module')
/** React reports what a boundary catches; nothing else may be. */
function expectOnlyLoadErrors() {
  const errors = vi.spyOn(console, 'error')
  for (const call of errors.mock.calls) expect(String(call[1])).toContain('PartLoadError')
  errors.mockClear()
}

it('loads a part again after a failed import', async () => {
  vi.useFakeTimers()
  const load = vi.fn<() => Promise<typeof Part>>(async () => Part).mockRejectedValueOnce(importError())
  const { Deferred } = deferred(load, <p>Loading</p>)
  render(<Deferred />)
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(screen.getByText('The part')).toBeDefined()
  expect(load).toHaveBeenCalledTimes(2)
})

it('offline, shows an error in place of the part, and loads it when asked', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const load = vi.fn<() => Promise<typeof Part>>(async () => Part).mockRejectedValueOnce(importError())
  const { Deferred } = deferred(load, null)
  render(
    <>
      <p>The rest</p>
      <Deferred />
    </>,
  )
  expect((await screen.findByRole('alert')).textContent).toContain('This part could not be loaded.')
  expect(screen.getByText('The rest')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('The part')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  online.mockRestore()
  expectOnlyLoadErrors()
})

it('loads a part that failed when the browser is online again', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { Deferred } = deferred(
    vi.fn<() => Promise<typeof Part>>(async () => Part).mockRejectedValueOnce(importError()),
    null,
  )
  render(<Deferred />)
  await screen.findByRole('alert')
  act(() => void dispatchEvent(new Event('online')))
  expect(await screen.findByText('The part')).toBeDefined()
  online.mockRestore()
  expectOnlyLoadErrors()
})
