import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import { fakeApi } from '../../../test/support/fake-api.ts'
import { downloadBlob } from '../lib/download.ts'
import { ImageViewer } from './image-viewer.tsx'
import { showToast } from './ui/toast.ts'

vi.mock('../lib/download.ts', () => ({ downloadBlob: vi.fn<typeof downloadBlob>() }))
vi.mock('./ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const image: Attachment = { id: 'i', name: 'cups.png', type: 'image/png', size: 9 }
const onClose = vi.fn<() => void>()
const share = vi.fn<Navigator['share']>()
const writeText = vi.fn<Clipboard['writeText']>()
let answer: () => Promise<Response>

beforeEach(() => {
  for (const mock of [onClose, share, writeText, vi.mocked(showToast), vi.mocked(downloadBlob)])
    mock.mockReset()
  answer = async () => new Response(new Blob(['png'], { type: 'image/png' }))
  fakeApi(
    {
      'files.link': () => ({
        success: true,
        url: 'https://s3/fresh',
        downloadUrl: 'https://s3/download',
        expires_at: '2026-11-20T11:05:00Z',
      }),
    },
    { elsewhere: () => answer() },
  )
})

async function show(rest: Partial<Attachment> = {}) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ImageViewer image={{ ...image, ...rest }} onClose={onClose} />
    </QueryClientProvider>,
  )
  return screen.findByRole('img')
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const native = (canShare: boolean) =>
  vi.stubGlobal('navigator', {
    locks: navigator.locks,
    share,
    canShare: () => canShare,
    clipboard: { writeText },
  })
const toasts = () =>
  vi.mocked(showToast).mock.calls.map(([kind, title, options]) => [kind, title, options?.description])

it('ATT-10 ATT-11 LIM-04 shows the image, at most 90 % of the height', async () => {
  const shown = await show()
  expect(shown.getAttribute('src')).toBe('https://s3/fresh')
  expect(shown.className).toContain('max-h-[min(100%,90vh)]')
  expect(screen.getByRole('dialog', { name: 'cups.png' })).toBeTruthy()
})

it('ATT-12 closes on Escape', async () => {
  await show()
  fireEvent.keyDown(document, { key: 'Escape' })
  expect(onClose).toHaveBeenCalledOnce()
})

it('ATT-13 closes on a click beside the image, not on it', async () => {
  const shown = await show()
  fireEvent.click(shown)
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.click(shown.parentElement!)
  expect(onClose).toHaveBeenCalledOnce()
})

it('ATT-14 ATT-18 downloads', async () => {
  await show()
  press('Download')
  await waitFor(() => expect(toasts()).toEqual([['success', 'Image downloaded! 📸', undefined]]))
  expect(vi.mocked(downloadBlob).mock.calls[0]?.[1]).toBe('cups.png')
})

it('ATT-19 reports a failed download', async () => {
  await show()
  answer = async () => new Response('', { status: 403 })
  press('Download')
  await waitFor(() =>
    expect(toasts()).toEqual([
      [
        'error',
        'Download failed',
        "Sorry, couldn't download the image. Try right-clicking and saving instead.",
      ],
    ]),
  )
})

it('ATT-15 shares the file itself where the system can', async () => {
  native(true)
  await show()
  press('Share')
  await waitFor(() => expect(share).toHaveBeenCalledOnce())
  expect(share.mock.calls[0]?.[0]?.files?.[0]?.name).toBe('cups.png')
  expect(toasts()).toEqual([])
})

it('ATT-15 ATT-20 DEC-048 copies the link otherwise, and says until when it works', async () => {
  native(false)
  await show()
  press('Share')
  await waitFor(() => expect(toasts().map(([, title]) => title)).toEqual(['Link copied! 📋']))
  expect(toasts()).toEqual([['success', 'Link copied! 📋', 'It works until 11:05.']])
  expect(writeText).toHaveBeenCalledWith('https://s3/fresh')
})

it('DEC-048 reports no error when the share dialog is closed', async () => {
  native(true)
  share.mockRejectedValue(new DOMException('closed', 'AbortError'))
  await show()
  press('Share')
  await waitFor(() => expect(share).toHaveBeenCalled())
  expect(toasts()).toEqual([])
})

it('ATT-21 says when sharing failed', async () => {
  native(false)
  writeText.mockRejectedValue(new Error('denied'))
  await show()
  press('Share')
  await waitFor(() =>
    expect(toasts()).toEqual([
      ['error', 'Share failed', "Couldn't share the image, but you can copy the URL manually."],
    ]),
  )
})

it('ATT-16 opens in a new tab', async () => {
  await show()
  const link = screen.getByRole('link', { name: 'Open' })
  expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
    'https://s3/fresh',
    '_blank',
    'noopener noreferrer',
  ])
})

it('ATT-17 says what it was generated from, and nothing otherwise', async () => {
  await show({ prompt: 'two cups' })
  expect(screen.getByText('Generated from: two cups')).toBeTruthy()
})
it('ATT-17 says nothing without a prompt', async () => {
  await show()
  expect(screen.queryByText(/Generated from/)).toBeNull()
})
