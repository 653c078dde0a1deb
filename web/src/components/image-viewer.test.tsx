import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import { fakeApi } from '../../../test/support/fake-api.ts'
import { fileLinkQuery } from '../lib/api/file-links.ts'
import { downloadBlob } from '../lib/browser/download.ts'
import { closeUserResources } from '../lib/actions/user-resources.ts'
import { ImageViewer } from './image-viewer.tsx'
import { showToast } from './ui/toast.ts'

vi.mock('../lib/browser/download.ts', () => ({ downloadBlob: vi.fn<typeof downloadBlob>() }))
vi.mock('./ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))

const image: Attachment = { id: 'i', name: 'cups.png', type: 'image/png', size: 9 }
const onClose = vi.fn<() => void>()
const share = vi.fn<Navigator['share']>()
const writeText = vi.fn<Clipboard['writeText']>()
let loadImage: () => Promise<Response>

beforeEach(() => {
  for (const mock of [onClose, share, writeText, vi.mocked(showToast), vi.mocked(downloadBlob)])
    mock.mockReset()
  loadImage = async () => new Response(new Blob(['png'], { type: 'image/png' }))
  fakeApi(
    {
      'files.link': () => ({
        success: true,
        url: 'https://s3/fresh',
        downloadUrl: 'https://s3/download',
        expires_at: '2026-11-20T11:05:00Z',
      }),
    },
    { elsewhere: () => loadImage() },
  )
})

async function open(changes: Partial<Attachment> = {}) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ImageViewer image={{ ...image, ...changes }} onClose={onClose} />
    </QueryClientProvider>,
  )
  return screen.findByRole('img')
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const stubSharing = (canShare: boolean) =>
  vi.stubGlobal('navigator', {
    locks: navigator.locks,
    share,
    canShare: () => canShare,
    clipboard: { writeText },
  })
const listToasts = () =>
  vi.mocked(showToast).mock.calls.map(([kind, title, options]) => [kind, title, options?.description])

it('ATT-10 ATT-11 LIM-04 shows the image, at most 90 % of the height', async () => {
  const img = await open()
  expect(img.getAttribute('src')).toBe('https://s3/fresh')
  expect(img.className).toContain('max-h-[min(100%,90vh)]')
  expect(screen.getByRole('dialog', { name: 'cups.png' })).toBeTruthy()
})

it('ATT-12 closes on Escape', async () => {
  await open()
  fireEvent.keyDown(document, { key: 'Escape' })
  expect(onClose).toHaveBeenCalledOnce()
})

it('ATT-13 closes on a click beside the image, but not on the image', async () => {
  const img = await open()
  fireEvent.click(img)
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.click(img.parentElement!)
  expect(onClose).toHaveBeenCalledOnce()
})

it('ATT-14 ATT-18 downloads the image', async () => {
  await open()
  press('Download')
  await waitFor(() => expect(listToasts()).toEqual([['success', 'Image downloaded! 📸', undefined]]))
  expect(vi.mocked(downloadBlob).mock.calls[0]?.[1]).toBe('cups.png')
})

it('ATT-19 reports a failed download', async () => {
  await open()
  loadImage = async () => new Response('', { status: 403 })
  press('Download')
  await waitFor(() =>
    expect(listToasts()).toEqual([
      [
        'error',
        'Download failed',
        "Sorry, couldn't download the image. Try right-clicking and saving instead.",
      ],
    ]),
  )
})

it('ATT-15 shares the file if the system supports that', async () => {
  stubSharing(true)
  await open()
  press('Share')
  await waitFor(() => expect(share).toHaveBeenCalledOnce())
  expect(share.mock.calls[0]?.[0]?.files?.[0]?.name).toBe('cups.png')
  expect(listToasts()).toEqual([])
})

it('ATT-15 ATT-20 DEC-048 copies the link if the system cannot share files, and says until when it works', async () => {
  stubSharing(false)
  await open()
  press('Share')
  await waitFor(() => expect(listToasts().map(([, title]) => title)).toEqual(['Link copied! 📋']))
  expect(listToasts()).toEqual([
    ['success', 'Link copied! 📋', expect.stringMatching(/^It works until 11:05\sAM\.$/)],
  ])
  expect(writeText).toHaveBeenCalledWith('https://s3/fresh')
})

it('names no end of an image that is in the page itself', async () => {
  stubSharing(false)
  await open({ url: 'data:image/png;base64,cG5n' })
  press('Share')
  await waitFor(() => expect(listToasts()).toEqual([['success', 'Link copied! 📋', undefined]]))
})

it.each([
  ['the file', false, ['https://s3/fresh']],
  ['nothing after a sign-out', true, []],
])('Open opens %s', async (_, hasSignedOut, opened) => {
  const tab = {
    opener: window,
    location: { replace: vi.fn<(url: string) => void>() },
    close: vi.fn<() => void>(),
  }
  const openTab = vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window)
  const client = new QueryClient()
  render(
    <QueryClientProvider client={client}>
      <ImageViewer image={image} onClose={onClose} />
    </QueryClientProvider>,
  )
  fireEvent.click(await screen.findByRole('link', { name: 'Open' }))
  if (hasSignedOut) closeUserResources(client)
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  expect(tab.location.replace.mock.calls.flat()).toEqual(opened)
  expect(tab.close).toHaveBeenCalledTimes(hasSignedOut ? 1 : 0)
  openTab.mockRestore()
})

it.each([
  ['is closed', 'AbortError'],
  ['is open already', 'InvalidStateError'],
])('DEC-048 reports no error when the share dialog %s', async (_, name) => {
  stubSharing(true)
  share.mockRejectedValue(new DOMException('', name))
  await open()
  press('Share')
  await waitFor(() => expect(share).toHaveBeenCalled())
  expect(listToasts()).toEqual([])
})

it('ATT-21 says when sharing failed', async () => {
  stubSharing(false)
  writeText.mockRejectedValue(new Error('denied'))
  await open()
  press('Share')
  await waitFor(() =>
    expect(listToasts()).toEqual([
      ['error', 'Share failed', "Couldn't share the image, but you can copy the URL manually."],
    ]),
  )
})

it('ATT-16 links to the image in a new tab', async () => {
  await open()
  const link = screen.getByRole('link', { name: 'Open' })
  expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
    'https://s3/fresh',
    '_blank',
    'noopener noreferrer',
  ])
})

it('ATT-17 shows the prompt of a generated image', async () => {
  await open({ prompt: 'two cups' })
  expect(screen.getByText('Generated from: two cups')).toBeTruthy()
})
it('ATT-17 shows no prompt if there is none', async () => {
  await open()
  expect(screen.queryByText(/Generated from/)).toBeNull()
})

it('shows the image of a new link after one has failed', async () => {
  const client = new QueryClient()
  const createViewer = (url: string) => {
    client.setQueryData(fileLinkQuery('i').queryKey, {
      success: true,
      url,
      downloadUrl: url,
      expires_at: '2026-11-20T11:05:00Z',
    })
    return (
      <QueryClientProvider client={client}>
        <ImageViewer image={image} onClose={onClose} />
      </QueryClientProvider>
    )
  }
  const { rerender } = render(createViewer('https://s3/old'))
  fireEvent.error(screen.getByRole('img'))
  expect(screen.getByRole('alert').textContent).toBe('The image could not be loaded.')
  rerender(createViewer('https://s3/new'))
  expect((await screen.findByRole('img')).getAttribute('src')).toBe('https://s3/new')
})

it.each(['Download', 'Share'])('%s does nothing more once the user has signed out', async (name) => {
  stubSharing(true)
  const client = new QueryClient()
  const response = Promise.withResolvers<Response>()
  const requested = vi.fn<() => Promise<Response>>(() => response.promise)
  loadImage = requested
  render(
    <QueryClientProvider client={client}>
      <ImageViewer image={image} onClose={onClose} />
    </QueryClientProvider>,
  )
  await screen.findByRole('img')
  press(name)
  await waitFor(() => expect(requested).toHaveBeenCalled())
  closeUserResources(client)
  await act(async () => response.reject(new Error('offline')))
  expect([...listToasts(), ...vi.mocked(downloadBlob).mock.calls, ...share.mock.calls]).toEqual([])
})

it('an image without a prompt is named after its file', async () => {
  const img = await open({ prompt: '' })
  expect(img.getAttribute('alt')).toBe(image.name)
})

it('selecting the prompt does not close the viewer, also when the pointer is released beside it', async () => {
  await open({ prompt: 'two cups' })
  const selectPrompt = () => getSelection()?.selectAllChildren(screen.getByText(/two cups/))
  selectPrompt()
  fireEvent.click(screen.getByRole('dialog'))
  expect(onClose).not.toHaveBeenCalled()
  getSelection()?.removeAllRanges()
  fireEvent.click(screen.getByRole('dialog'))
  expect(onClose).toHaveBeenCalledOnce()
})
