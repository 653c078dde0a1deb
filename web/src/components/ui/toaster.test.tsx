import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError, NetworkError } from '../../lib/api/api-errors.ts'
import { dismissAllToasts, dismissToast, showToast } from './toast.ts'
import { Toaster } from './toaster.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const getToasts = () => [...document.querySelectorAll('[data-sonner-toast]')]
/** Until a dismissed toast has gone: its animation begins with a later render. */
const advanceToEnd = async () => {
  await advance(100)
  await advance(600)
}
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

afterEach(async () => {
  for (const toast of getToasts()) await act(async () => dismissToast(String(toast.getAttribute('data-id'))))
})

const anApiError = (code: string) => new ApiError({ status: 500, code, userMessage: 'Refused.' })
const unconfirmed = 'Unconfirmed: The memory was not saved'
const lookFirst = 'The service did not confirm it. Please look whether it was done before you try again.'

it('LIB-07 shows three toasts at once, and also toasts from before the toaster was rendered', async () => {
  // waits for the toaster
  showToast('success', 'First', { description: 'The oldest' })
  render(<Toaster />)
  await advance(100)
  expect(screen.getByText('The oldest')).toBeDefined()
  for (const title of ['Second', 'Third', 'Fourth']) showToast('info', title)
  await advance(100)
  expect(getToasts().filter((toast) => toast.getAttribute('data-visible') === 'true')).toHaveLength(3)
})

it.each<[string, Error, boolean, string, string]>([
  ['no answer', new NetworkError({ hasTimedOut: true }), true, unconfirmed, lookFirst],
  ['a gateway that has given up', anApiError('timeout'), true, unconfirmed, lookFirst],
  ['something unreadable', anApiError('unreadable'), true, unconfirmed, lookFirst],
  [
    'a cut connection',
    new NetworkError(),
    false,
    unconfirmed,
    'You are offline. Please try again when you are online.',
  ],
  ['a refusal', anApiError('memory_full'), true, 'The memory was not saved', 'Refused.'],
])(
  'a toast about an action says only what is known of it after %s',
  async (_, error, isOnline, title, text) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
    render(<Toaster />)
    await advance(0)
    showToast('error', 'The memory was not saved', { description: 'Tea', error })
    await advance(100)
    expect(screen.getByText(title)).toBeDefined()
    expect(screen.getByText(`Tea: ${text}`)).toBeDefined()
    dismissAllToasts()
    await advanceToEnd()
  },
)

it('LIB-08 LIB-09 is at the bottom right, and gets the focus with Alt+T', async () => {
  render(<Toaster />)
  await advance(0)
  showToast('info', 'Here')
  await advance(100)
  const list = document.querySelector('[data-sonner-toaster]')
  expect(list?.getAttribute('data-y-position')).toBe('bottom')
  expect(list?.getAttribute('data-x-position')).toBe('right')
  await act(async () => document.dispatchEvent(new KeyboardEvent('keydown', { altKey: true, code: 'KeyT' })))
  expect(document.activeElement).toBe(list)
  await act(async () => document.dispatchEvent(new KeyboardEvent('keydown', { code: 'Escape' })))
})

it('LIB-10 DEC-102 removes a toast after 5 s', async () => {
  render(<Toaster />)
  await advance(0)
  showToast('error', 'Gone soon', { cause: new NetworkError() })
  await advance(4900)
  expect(screen.getByText('Gone soon')).toBeDefined()
  await advance(600)
  expect(screen.queryByText('Gone soon')).toBeNull()
})

it('LIB-09 LIB-10 keeps a toast while it has the focus, and removes it afterwards', async () => {
  render(<Toaster />)
  await advance(0)
  showToast('info', 'To be read')
  await advance(100)
  await act(async () => document.dispatchEvent(new KeyboardEvent('keydown', { altKey: true, code: 'KeyT' })))
  await act(async () => document.querySelector<HTMLElement>('[data-sonner-toast]')?.focus())
  await advance(10_000)
  expect(screen.getByText('To be read')).toBeDefined()
  await act(async () => (document.activeElement as HTMLElement).blur())
  await advance(5_600)
  expect(screen.queryByText('To be read')).toBeNull()
})

it('replaces a toast with the same id, and dismisses it by id', async () => {
  render(<Toaster />)
  await advance(0)
  showToast('info', 'Once', { id: 'same' })
  showToast('info', 'Twice', { id: 'same' })
  await advance(100)
  expect(screen.queryByText('Once')).toBeNull()
  expect(screen.getByText('Twice')).toBeDefined()
  dismissToast('same')
  await advanceToEnd()
  expect(screen.queryByText('Twice')).toBeNull()
})

it.each<[how: string, end: () => void]>([
  ['its action is pressed', () => fireEvent.click(screen.getByRole('button', { name: 'Try again' }))],
  ['it is closed', () => fireEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ['it is dismissed', () => dismissToast('failure')],
  ['all are dismissed', dismissAllToasts],
])('a toast that is shown again with its id soon after %s stays', async (_, end) => {
  render(<Toaster />)
  await advance(0)
  const show = (description: string) =>
    showToast('warning', 'Failed', {
      id: 'failure',
      description,
      durationMs: Number.POSITIVE_INFINITY,
      action: { label: 'Try again', onClick: () => undefined },
    })
  show('First')
  await advance(500)
  await act(async () => end())
  await advance(100)
  show('Second')
  await advance(2_000)
  expect(screen.queryByText('First')).toBeNull()
  expect(screen.getByText('Second')).toBeDefined()
  dismissToast('failure')
  await advanceToEnd()
  expect(screen.queryByText('Second')).toBeNull()
})

it('an update keeps what it does not give; the end of a toast that follows another one is its own', async () => {
  render(<Toaster />)
  await advance(0)
  const onClose = vi.fn<() => void>()
  showToast('info', 'Once', { id: 'same', description: 'Kept', onClose })
  await advance(100)
  showToast('info', 'Twice', { id: 'same' })
  await advance(100)
  expect(screen.getByText('Kept')).toBeDefined()
  dismissToast('same')
  showToast('info', 'Another', { id: 'same' })
  await advanceToEnd()
  expect(onClose).toHaveBeenCalledOnce()
  expect(screen.queryByText('Kept')).toBeNull()
  dismissToast('same')
  await advanceToEnd()
  expect(onClose).toHaveBeenCalledOnce()
})
