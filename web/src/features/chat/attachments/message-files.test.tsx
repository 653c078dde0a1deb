import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { callApi } from '../../../lib/call-api.ts'
import { saveFrom } from '../../../lib/save-file.ts'
import { MessageFiles } from './message-files.tsx'

vi.mock('../../../lib/call-api.ts', () => ({ callApi: vi.fn<typeof callApi>() }))
vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))
vi.mock('../../../lib/save-file.ts', () => ({ saveFrom: vi.fn<typeof saveFrom>() }))

const file = (name: string, rest: Partial<Attachment> = {}): Attachment => ({
  id: name,
  name,
  type: '',
  size: 151_859,
  ...rest,
})
const onOpenImage = vi.fn<(image: Attachment) => void>()

beforeEach(() => {
  onOpenImage.mockReset()
  vi.mocked(callApi).mockReset().mockResolvedValue({
    success: true,
    url: 'https://s3/fresh',
    downloadUrl: 'https://s3/download',
    expires_at: '',
  })
})

const show = (...files: Attachment[]) =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MessageFiles files={files} onOpenImage={onOpenImage} />
    </QueryClientProvider>,
  )

it('ATT-08 ATT-10 CHAT-15 a picture shows as a picture and opens the viewer', () => {
  const picture = file('cups.png', { type: 'image/png', url: 'https://s3/a' })
  show(picture)
  expect(screen.getByRole('img', { name: 'cups.png' }).getAttribute('src')).toBe('https://s3/a')
  fireEvent.click(screen.getByRole('button', { name: 'Open image full screen: cups.png' }))
  expect(onOpenImage).toHaveBeenCalledWith(picture)
})

it('DEC-037 an expired link is made anew, once', async () => {
  show(file('cups.png', { type: 'image/png', url: 'https://s3/old' }))
  fireEvent.error(screen.getByRole('img'))
  await waitFor(() => expect(screen.getByRole('img').getAttribute('src')).toBe('https://s3/fresh'))
  fireEvent.error(screen.getByRole('img'))
  expect(await screen.findByText('Not available any more')).toBeTruthy()
  expect(callApi).toHaveBeenCalledOnce()
})

it('ATT-09 ATT-04 other files show their icon, their size, and what was read of them', () => {
  const { container } = show(
    file('a.docx', { reading: { status: 'part', note: 'first 8,000 of 31,200 characters' } }),
    file('b.xlsx'),
    file('c.mp4'),
    file('d.svg', { type: 'image/svg+xml', url: 'https://s3/d' }),
    file('e.pdf', { reading: { status: 'failed', note: 'The PDF could not be read.' } }),
  )
  expect(
    [...container.querySelectorAll('[data-kind]')].map((icon) => icon.getAttribute('data-kind')),
  ).toEqual(['document', 'spreadsheet', 'video', 'image', 'pdf'])
  expect(screen.getAllByText('148.3 KB')).toHaveLength(5)
  expect(screen.getByText('first 8,000 of 31,200 characters')).toBeTruthy()
  expect(screen.getByText('The PDF could not be read.').className).toContain('danger')
  expect(screen.queryByRole('img')).toBeNull()
})

it('a file is downloaded by a fresh link', async () => {
  show(file('a.docx'))
  fireEvent.click(screen.getByRole('button', { name: 'Download a.docx' }))
  await waitFor(() => expect(saveFrom).toHaveBeenCalledWith('https://s3/download', 'a.docx'))
})

it('a download that fails is told, and nothing is saved', async () => {
  vi.mocked(saveFrom).mockReset()
  vi.mocked(callApi).mockRejectedValue(new Error('offline'))
  show(file('a.docx'))
  fireEvent.click(screen.getByRole('button', { name: 'Download a.docx' }))
  await waitFor(() =>
    expect(showToast).toHaveBeenCalledWith('error', 'Download failed', {
      description: '“a.docx” could not be downloaded.',
    }),
  )
  expect(saveFrom).not.toHaveBeenCalled()
})
