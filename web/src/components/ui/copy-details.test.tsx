import { fireEvent, render, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ApiError, NetworkError } from '../../lib/api/api-errors.ts'
import { toastList } from './toast-list.tsx'
import { Callout } from './callout.tsx'
import { CopyDetails } from './copy-details.tsx'
import { Toaster } from './toaster.tsx'

const copied = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve())
Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: copied } })

const press = async () => fireEvent.click(await screen.findByRole('button', { name: 'Copy details' }))
const readCopied = () => copied.mock.lastCall?.[0].split('\n')
const refused = () =>
  new ApiError({ status: 500, code: 'internal_error', userMessage: 'x', requestId: 'req-1' })

it('copies the time of an error, its code, and the request id if the service was reached', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-30T10:00:00Z') })
  const { rerender } = render(<CopyDetails error={refused()} />)
  await press()
  expect(readCopied()).toEqual([
    'time: 2026-11-30T10:00:00.000Z',
    'code: internal_error',
    'request id: req-1',
  ])
  rerender(<CopyDetails key="2" error={new NetworkError()} />)
  await press()
  expect(readCopied()).toEqual(['time: 2026-11-30T10:00:00.000Z', 'code: not_reached'])
  vi.useRealTimers()
})

it('an error has the same time wherever it is shown', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-30T10:00:00Z') })
  const error = new TypeError('x')
  for (const key of ['1', '2']) {
    const { unmount } = render(<CopyDetails key={key} error={error} />)
    await press()
    expect(readCopied()).toEqual(['time: 2026-11-30T10:00:00.000Z', 'code: TypeError'])
    unmount()
    vi.setSystemTime('2026-11-30T11:00:00Z')
  }
  vi.useRealTimers()
})

it('copies the request id that the user pool gave an error of Amplify', async () => {
  render(
    <CopyDetails error={Object.assign(new Error('x'), { name: 'A', metadata: { requestId: 'pool-1' } })} />,
  )
  await press()
  expect(readCopied()).toContain('request id: pool-1')
})

it('stands beside the error of a message in place', async () => {
  render(
    <Callout variant="danger" error={refused()}>
      Out of order.
    </Callout>,
  )
  await press()
  expect(readCopied()).toContain('request id: req-1')
})

it('stands in every toast of an error', async () => {
  render(<Toaster />)
  toastList.show('t', 'error', 'Not saved', { error: refused() })
  const toast = (await screen.findByText('Not saved')).closest('li') ?? document.body
  fireEvent.click(within(toast).getByRole('button', { name: 'Copy details' }))
  expect(readCopied()).toContain('request id: req-1')
})
