import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { deferred } from './lazy-component.tsx'

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

/** What React wrote to the console of the errors that were caught; other errors stay. */
function takeErrors(): unknown[] {
  const errors = vi.spyOn(console, 'error')
  const caught = errors.mock.calls.map((call) => call.find((part) => part instanceof Error))
  errors.mockClear()
  return caught
}

it('a part that throws shows an error in its place, is reported once, and is rendered again when asked', async () => {
  const broken = new Error('broken')
  let isBroken = true
  const Breaking = () => {
    if (isBroken) throw broken
    return <p>The part</p>
  }
  const { Deferred } = deferred(async () => Breaking, null)
  render(
    <>
      <p>The rest</p>
      <Deferred />
    </>,
  )
  expect((await screen.findByRole('alert')).textContent).toContain('This part stopped working.')
  expect(screen.getByText('The rest')).toBeDefined()
  expect(takeErrors()).toEqual([broken])
  isBroken = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('The part')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})

it.each(['onClose', 'onCancel', 'onOpenChange'] as const)(
  'a dialog that throws can be closed by its %s',
  async (name) => {
    const Breaking: (props: Partial<Record<typeof name, (open?: boolean) => void>>) => never = () => {
      throw new Error('broken')
    }
    const { Deferred } = deferred(async () => Breaking, null)
    const close = vi.fn<(open?: boolean) => void>()
    render(<Deferred {...{ [name]: close }} />)
    const dialog = await screen.findByRole('dialog', { name: 'Error' })
    expect(within(dialog).getByRole('button', { name: 'Try again' })).toBeDefined()
    expect(takeErrors()).toHaveLength(1)
    fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
    expect(close.mock.calls).toEqual(name === 'onOpenChange' ? [[false]] : [[]])
  },
)

it('a panel that broke shows nothing while it is closed, and is rendered again when it opens', async () => {
  let isBroken = true
  const Panel = ({ open }: { open: boolean; onOpenChange: () => void }) => {
    if (isBroken && open) throw new Error('broken')
    return open ? <p>The panel</p> : null
  }
  const { Deferred } = deferred(async () => Panel, null)
  const { rerender, container } = render(<Deferred open onOpenChange={() => undefined} />)
  await screen.findByRole('dialog', { name: 'Error' })
  expect(takeErrors()).toHaveLength(1)
  isBroken = false
  rerender(<Deferred open={false} onOpenChange={() => undefined} />)
  expect(container.textContent).toBe('')
  rerender(<Deferred open onOpenChange={() => undefined} />)
  expect(await screen.findByText('The panel')).toBeDefined()
})

it('another attempt of one part leaves the state of its siblings alone', async () => {
  let isBroken = true
  const Counter = ({ label }: { label: string }) => {
    const [count, setCount] = useState(0)
    if (isBroken && label === 'b') throw new Error('broken')
    return <button onClick={() => setCount(count + 1)}>{`${label} ${count}`}</button>
  }
  const { Deferred } = deferred(async () => Counter, null)
  render(
    <>
      <Deferred label="a" />
      <Deferred label="b" />
    </>,
  )
  fireEvent.click(await screen.findByRole('button', { name: 'a 0' }))
  await screen.findByRole('alert')
  expect(takeErrors()).toHaveLength(1)
  isBroken = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('button', { name: 'b 0' })
  expect(screen.getByRole('button', { name: 'a 1' })).toBeDefined()
})
