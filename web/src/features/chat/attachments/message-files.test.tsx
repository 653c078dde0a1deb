import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { ApiError, NetworkError } from '../../../lib/api/api-errors.ts'
import { fakeApi } from '../../../../../test/support/fake-api.ts'
import { downloadBlob, downloadFile } from '../../../lib/browser/download.ts'
import { MessageFiles } from './message-files.tsx'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))
vi.mock('../../../lib/browser/download.ts', () => ({
  downloadBlob: vi.fn<typeof downloadBlob>(),
  downloadFile: vi.fn<typeof downloadFile>(),
}))

const file = (name: string, rest: Partial<Attachment> = {}): Attachment => ({
  id: name.replace('.', '-'),
  name,
  type: '',
  size: 151_859,
  ...rest,
})
const link = {
  success: true,
  url: 'https://s3/fresh',
  downloadUrl: 'https://s3/download',
  expires_at: '2026-11-20T11:05:00Z',
} as const
const mimeTypes: Record<string, string> = { 'cups.png': 'image/png', 'song.mp3': 'audio/mpeg' }
let api: ReturnType<typeof fakeApi>
const onOpenImage = vi.fn<(image: Attachment) => void>()

beforeEach(() => {
  onOpenImage.mockReset()
  api = fakeApi({ 'files.link': () => link })
})

const renderFiles = (...files: Attachment[]) =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MessageFiles files={files} onOpenImage={onOpenImage} />
    </QueryClientProvider>,
  )

it('ATT-08 ATT-10 shows an image and opens it in the viewer', () => {
  const image = file('cups.png', { type: 'image/png', url: 'https://s3/a' })
  renderFiles(image)
  expect(screen.getByRole('img', { name: 'cups.png' }).getAttribute('src')).toBe('https://s3/a')
  fireEvent.click(screen.getByRole('button', { name: 'Open image full screen: cups.png' }))
  expect(onOpenImage).toHaveBeenCalledWith(image)
})

it.each([
  ['a tall image', 1000, 2000, 216, 432],
  ['a wide image', 4320, 1080, 432, 108],
  ['a small image', 120, 90, 120, 90],
  ['an image of one pixel', 1, 1, 44, 44],
])(
  'ATT-08 DEC-160 %s is shown as a whole, and not enlarged',
  (_, naturalWidth, naturalHeight, width, height) => {
    renderFiles(file('cups.png', { type: 'image/png', url: 'https://s3/a' }))
    const image = screen.getByRole('img')
    Object.defineProperties(image, {
      naturalWidth: { value: naturalWidth },
      naturalHeight: { value: naturalHeight },
    })
    fireEvent.load(image)
    expect(image.closest('figure')?.style.width).toBe(`${width}px`)
    expect(image.closest('button')?.style.aspectRatio).toBe(`${width} / ${height}`)
    expect(image.className).toContain('object-scale-down')
  },
)

it('DEC-037 renews an expired link once', async () => {
  renderFiles(file('cups.png', { type: 'image/png', url: 'https://s3/old' }))
  fireEvent.error(screen.getByRole('img'))
  await waitFor(() => expect(screen.getByRole('img').getAttribute('src')).toBe('https://s3/fresh'))
  fireEvent.error(screen.getByRole('img'))
  // the link works as far as the page knows
  expect(await screen.findByText('The image could not be loaded.')).toBeTruthy()
  expect(api.requestsTo('files.link')).toHaveLength(1)
})

it('keeps the link of an image when later responses have other signatures', () => {
  const client = new QueryClient()
  const fileSignedBy = (instance: number) =>
    file('cups.png', { type: 'image/png', url: `https://s3/cups?X-Amz-Signature=${instance}` })
  const createPage = (instance: number) => (
    <QueryClientProvider client={client}>
      <MessageFiles files={[fileSignedBy(instance)]} onOpenImage={onOpenImage} />
    </QueryClientProvider>
  )
  const getSrc = () => screen.getByRole('img').getAttribute('src')
  const { rerender, unmount } = render(createPage(1))
  const links = [2, 3, 4].map((instance) => {
    rerender(createPage(instance))
    return getSrc()
  })
  unmount()
  // the conversation is opened again
  render(createPage(5))
  expect(new Set([...links, getSrc()])).toEqual(new Set(['https://s3/cups?X-Amz-Signature=1']))
  // it has expired meanwhile, with the credentials that signed it
  fireEvent.error(screen.getByRole('img'))
  expect(getSrc()).toBe('https://s3/cups?X-Amz-Signature=5')
  expect(api.requestsTo('files.link')).toHaveLength(0)
})

it('ATT-09 ATT-04 shows other files with their icon, their size, and what was read of them', () => {
  const { container } = renderFiles(
    file('a.docx', { reading: { state: 'read', note: 'the first 8,000 of 31,200 characters' } }),
    file('b.xlsx'),
    file('c.mp4'),
    file('d.svg', { type: 'image/svg+xml', url: 'https://s3/d' }),
    file('e.pdf', { reading: { state: 'unreadable', note: 'The PDF could not be read.' } }),
  )
  expect(
    [...container.querySelectorAll('[data-kind]')].map((icon) => icon.getAttribute('data-kind')),
  ).toEqual(['document', 'spreadsheet', 'video', 'image', 'pdf'])
  expect(screen.getAllByText('148.3 KB')).toHaveLength(5)
  expect(screen.getByText('the first 8,000 of 31,200 characters')).toBeTruthy()
  expect(screen.getByText('The PDF could not be read.').className).toContain('danger')
  expect(screen.queryByRole('img')).toBeNull()
})

it.each(['a.docx', 'cups.png', 'song.mp3'])(
  'DEC-033 keeps showing the name of a deleted file: %s',
  (name) => {
    renderFiles(
      file(name, {
        type: mimeTypes[name] ?? '',
        isDeleted: true,
        reading: { state: 'read', note: 'read in full' },
      }),
    )
    const card = screen.getByRole<HTMLButtonElement>('button')
    expect(card.disabled).toBe(true)
    expect(card.textContent).toBe(`${name}148.3 KB·deleted`)
    expect(screen.queryByRole('img')).toBeNull()
    expect(api.requestsTo('files.link')).toEqual([])
  },
)

it('downloads a file with a new link', async () => {
  renderFiles(file('a.docx'))
  fireEvent.click(screen.getByRole('button', { name: 'Download a.docx' }))
  await waitFor(() => expect(downloadFile).toHaveBeenCalledWith('https://s3/download', 'a.docx'))
})

it('reports a failed download, and saves nothing', async () => {
  vi.mocked(downloadFile).mockReset()
  fakeApi({
    'files.link': () => {
      throw new NetworkError()
    },
  })
  renderFiles(file('a.docx'))
  fireEvent.click(screen.getByRole('button', { name: 'Download a.docx' }))
  await waitFor(() =>
    expect(showToast).toHaveBeenCalledWith('error', 'Download failed', {
      description: '“a.docx” could not be downloaded.',
      cause: expect.anything() as unknown,
    }),
  )
  expect(downloadFile).not.toHaveBeenCalled()
})

it('DEC-183 plays an audio file, with a new link if the old one has expired, and downloads it', async () => {
  renderFiles(file('bell.wav', { type: 'audio/wav', url: 'https://s3/old' }))
  const findPlayer = () => screen.getByLabelText<HTMLAudioElement>('bell.wav')
  const player = findPlayer()
  expect([player.tagName, player.controls, player.preload, player.autoplay]).toEqual([
    'AUDIO',
    true,
    'none',
    false,
  ])
  expect(player.getAttribute('src')).toBe('https://s3/old')
  fireEvent.error(player)
  await waitFor(() => expect(findPlayer().getAttribute('src')).toBe('https://s3/fresh'))
  fireEvent.error(findPlayer())
  await waitFor(() => expect(screen.queryByLabelText('bell.wav')).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: 'Download bell.wav' }))
  await waitFor(() => expect(downloadFile).toHaveBeenCalledWith('https://s3/download', 'bell.wav'))
})

it('DEC-183 uses the received data of a file in a temporary chat, and requests no link', async () => {
  const url = `data:application/octet-stream;base64,${btoa('a,b')}`
  renderFiles(
    file('a.png', { type: 'image/png', url: 'data:image/png;base64,AA==' }),
    file('a.csv', { type: 'text/csv', url }),
  )
  expect(screen.getByRole('img').getAttribute('src')).toBe('data:image/png;base64,AA==')
  fireEvent.click(screen.getByRole('button', { name: 'Download a.csv' }))
  await waitFor(() => expect(downloadBlob).toHaveBeenCalled())
  const [blob, name] = vi.mocked(downloadBlob).mock.calls[0] ?? []
  expect([await blob?.text(), name]).toEqual(['a,b', 'a.csv'])
  expect(api.requestsTo('files.link')).toEqual([])
})

it('files of one name in a message are told apart', () => {
  renderFiles(file('a.pdf', { id: '1' }), file('b.pdf'), file('a.pdf', { id: '2' }))
  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Download a.pdf (1 of 2)',
    'Download b.pdf',
    'Download a.pdf (2 of 2)',
  ])
  expect(screen.getByText('2 of 2')).toBeDefined()
})

it('the button of a file is described by its size and by what was read of it', () => {
  renderFiles(file('e.pdf', { reading: { state: 'unreadable', note: 'The PDF could not be read.' } }))
  const button = screen.getByRole('button', { name: 'Download e.pdf' })
  const description = document.getElementById(button.getAttribute('aria-describedby') ?? '')
  expect(description?.textContent).toContain('The PDF could not be read.')
  expect(description?.textContent).toContain('148.3 KB')
})

it.each([
  [new NetworkError({ hasTimedOut: true }), 'The image could not be loaded.'],
  [new ApiError({ status: 404, code: 'file_not_found', userMessage: 'Gone.' }), 'No longer available'],
])('says that an image is gone only if the service says so: %s', async (error, text) => {
  api = fakeApi({
    'files.link': () => {
      throw error
    },
  })
  renderFiles(file('cups.png', { type: 'image/png', url: 'https://s3/old' }))
  fireEvent.error(screen.getByRole('img'))
  expect(await screen.findByText(text)).toBeTruthy()
})

it('a sound whose link works can be played, also after a download has failed', async () => {
  api = fakeApi({
    'files.link': () => {
      throw new NetworkError()
    },
  })
  renderFiles(file('song.mp3', { type: 'audio/mpeg', url: 'https://s3/song' }))
  fireEvent.click(screen.getByRole('button', { name: 'Download song.mp3' }))
  await waitFor(() => expect(showToast).toHaveBeenCalledWith('error', 'Download failed', expect.anything()))
  expect(screen.getByLabelText('song.mp3').getAttribute('src')).toBe('https://s3/song')
})

it('a card of a made file names the version that its reply made, and downloads it', async () => {
  const versions = [1, 2].map((version) => ({ version, size: version, created_at: '2026-12-01T10:00:00Z' }))
  renderFiles(
    file('a.docx', { version: 1, size: 1, versions }),
    file('a.docx', { version: 2, size: 2, versions }),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Download a.docx (Version 1 of 2)' }))
  screen.getByRole('button', { name: 'Download a.docx (Version 2 of 2)' })
  await waitFor(() => expect(downloadFile).toHaveBeenCalled())
  expect(api.requestsTo('files.link')).toMatchObject([{ query: { version: 1 } }])
})
