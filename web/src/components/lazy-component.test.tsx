import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { lazyComponent } from './lazy-component.tsx'

const mocks = vi.hoisted(() => ({
  reloadPage: vi.fn<() => void>(),
  reloadOnce: vi.fn<(reason: string) => void>(),
}))
vi.mock('../lib/browser/reload-page.ts', () => mocks)
beforeEach(() => {
  for (const mock of Object.values(mocks)) mock.mockReset()
})

const createImportError = () => new TypeError('Failed to fetch dynamically imported module')
/** React reports the errors that a boundary catches. Expects no other errors. */
function expectOnlyLoadErrors() {
  const errors = vi.spyOn(console, 'error')
  for (const call of errors.mock.calls) expect(String(call[1])).toContain('ChunkLoadError')
  errors.mockClear()
}

it.each([
  [
    'the user clicks Try again',
    () => fireEvent.click(screen.getByRole('button', { name: 'Try again' })),
    'reloadPage',
  ],
  ['the browser is online again', () => dispatchEvent(new Event('online')), 'reloadOnce'],
] as const)(
  'a part that could not be loaded leaves the rest of the page usable, and reloads the page when %s',
  async (_, retry, reload) => {
    const Lazy = lazyComponent(() => Promise.reject<{ Part: () => null }>(createImportError()), 'Part', null)
    render(
      <>
        <p>The rest</p>
        <Lazy />
      </>,
    )
    expect((await screen.findByRole('alert')).textContent).toContain('This part could not be loaded.')
    expect(screen.getByText('The rest')).toBeDefined()
    expect(mocks[reload]).not.toHaveBeenCalled()
    act(() => void retry())
    expect(mocks[reload]).toHaveBeenCalledOnce()
    expectOnlyLoadErrors()
  },
)

/** Returns the errors that React has logged since the last call, and clears them. */
function takeLoggedErrors(): unknown[] {
  const errors = vi.spyOn(console, 'error')
  const loggedErrors = errors.mock.calls.map((call) => call.find((part) => part instanceof Error))
  errors.mockClear()
  return loggedErrors
}

it('a part that throws shows an error in its place, is logged once, and is rendered again by Try again', async () => {
  const broken = new Error('broken')
  let isBroken = true
  const Breaking = () => {
    if (isBroken) throw broken
    return <p>The part</p>
  }
  const Lazy = lazyComponent(async () => ({ Breaking }), 'Breaking', null)
  render(
    <>
      <p>The rest</p>
      <Lazy />
    </>,
  )
  expect((await screen.findByRole('alert')).textContent).toContain('This part stopped working.')
  expect(screen.getByText('The rest')).toBeDefined()
  expect(takeLoggedErrors()).toEqual([broken])
  isBroken = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('The part')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})

it.each(['onClose', 'onCancel', 'onOpenChange'] as const)(
  'a dialog that throws can be closed with its %s',
  async (name) => {
    const Breaking: (props: Partial<Record<typeof name, (open?: boolean) => void>>) => never = () => {
      throw new Error('broken')
    }
    const Lazy = lazyComponent(async () => ({ Breaking }), 'Breaking', null)
    const close = vi.fn<(open?: boolean) => void>()
    render(<Lazy {...{ [name]: close }} />)
    const dialog = await screen.findByRole('dialog', { name: 'Error' })
    expect(within(dialog).getByRole('button', { name: 'Try again' })).toBeDefined()
    expect(takeLoggedErrors()).toHaveLength(1)
    fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
    expect(close.mock.calls).toEqual(name === 'onOpenChange' ? [[false]] : [[]])
  },
)

it('a panel that threw shows nothing while it is closed, and is rendered again when it opens', async () => {
  let isBroken = true
  const Panel = ({ open }: { open: boolean; onOpenChange: () => void }) => {
    if (isBroken && open) throw new Error('broken')
    return open ? <p>The panel</p> : null
  }
  const Lazy = lazyComponent(async () => ({ Panel }), 'Panel', null)
  const { rerender, container } = render(<Lazy open onOpenChange={() => undefined} />)
  await screen.findByRole('dialog', { name: 'Error' })
  expect(takeLoggedErrors()).toHaveLength(1)
  isBroken = false
  rerender(<Lazy open={false} onOpenChange={() => undefined} />)
  expect(container.textContent).toBe('')
  rerender(<Lazy open onOpenChange={() => undefined} />)
  expect(await screen.findByText('The panel')).toBeDefined()
})

it('retrying one part keeps the state of its siblings', async () => {
  let isBroken = true
  const Counter = ({ label }: { label: string }) => {
    const [count, setCount] = useState(0)
    if (isBroken && label === 'b') throw new Error('broken')
    return <button onClick={() => setCount(count + 1)}>{`${label} ${count}`}</button>
  }
  const Lazy = lazyComponent(async () => ({ Counter }), 'Counter', null)
  render(
    <>
      <Lazy label="a" />
      <Lazy label="b" />
    </>,
  )
  fireEvent.click(await screen.findByRole('button', { name: 'a 0' }))
  await screen.findByRole('alert')
  expect(takeLoggedErrors()).toHaveLength(1)
  isBroken = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('button', { name: 'b 0' })
  expect(screen.getByRole('button', { name: 'a 1' })).toBeDefined()
})
