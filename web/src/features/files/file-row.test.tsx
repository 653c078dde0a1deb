import { cleanup, createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '../../../../test/support/fake-api.ts'
import { PageProviders } from '../../../../test/support/render-page.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError } from '../../lib/api/api-errors.ts'
import { downloadFile } from '../../lib/browser/download.ts'
import { FileRow } from './file-row.tsx'
import type { ListedFile } from './files-queries.ts'

vi.mock('../../components/ui/toast.ts', () => ({ showToast: vi.fn<typeof showToast>() }))
vi.mock('../../lib/conversations/conversation-title.ts', () => ({
  formatConversationTitle: (title: string) => (title === 'New Chat' ? 'Neuer Chat' : title),
}))
vi.mock('../../lib/browser/download.ts', () => ({ downloadFile: vi.fn<typeof downloadFile>() }))

const file: ListedFile = {
  id: 'f1',
  name: 'offer.pdf',
  type: 'application/pdf',
  size: 10,
  url: 'https://s3/expired',
  created_at: '2026-11-20T09:00:00Z',
  session_ids: [],
  project_ids: [],
}
const links = {
  success: true as const,
  url: 'https://s3/fresh',
  downloadUrl: 'https://s3/download',
  expires_at: '2026-11-20T11:05:00Z',
}
const replace = vi.fn<(url: string) => void>()
const close = vi.fn<() => void>()
const open = vi.fn<() => object | null>()

beforeEach(() => {
  for (const mock of [replace, close, vi.mocked(showToast), vi.mocked(downloadFile)]) mock.mockReset()
  open.mockReset().mockReturnValue({ opener: window, location: { replace }, close })
  vi.stubGlobal('open', open)
})

/** @returns whether the browser would follow the link itself */
function press(
  createPress: (link: HTMLElement) => Event = createEvent.click,
  changes: Partial<ListedFile> = {},
) {
  const noop = () => undefined
  const shown = { ...file, ...changes }
  render(<FileRow file={shown} titles={new Map()} onView={noop} onDelete={noop} />, {
    wrapper: PageProviders,
  })
  const link = screen.getByText(shown.name)
  const click = createPress(link)
  fireEvent(link, click)
  return !click.defaultPrevented
}

it('opens a file in a new tab with a new link, because the link in the list may have expired', async () => {
  fakeApi({ 'files.link': () => links })
  expect(press()).toBe(false)
  expect(open.mock.results[0]?.value).toMatchObject({ opener: null })
  await waitFor(() => expect(replace).toHaveBeenCalledWith('https://s3/fresh'))
})

it('the middle mouse button uses a new link too; the right button opens the context menu of the browser', async () => {
  fakeApi({ 'files.link': () => links })
  const pressButton = (button: number) => () =>
    new MouseEvent('auxclick', { button, bubbles: true, cancelable: true })
  expect(press(pressButton(2))).toBe(true)
  expect(open).not.toHaveBeenCalled()
  cleanup()
  expect(press(pressButton(1))).toBe(false)
  await waitFor(() => expect(replace).toHaveBeenCalledWith('https://s3/fresh'))
})

it('downloads a file if the browser blocks the new tab', async () => {
  fakeApi({ 'files.link': () => links })
  open.mockReturnValue(null)
  press()
  await waitFor(() => expect(downloadFile).toHaveBeenCalledWith('https://s3/download', 'offer.pdf'))
})

it('shows an error for a file that was deleted elsewhere, and leaves no empty tab', async () => {
  const userMessage = 'This file does not exist, or it was deleted.'
  fakeApi({
    'files.link': () => {
      throw new ApiError({ status: 404, code: 'attachment_not_found', userMessage })
    },
  })
  press()
  await waitFor(() => expect(close).toHaveBeenCalledOnce())
  expect(showToast).toHaveBeenCalledWith('error', 'The file could not be opened', {
    description: userMessage,
    cause: expect.any(ApiError) as ApiError,
  })
})

it.each([
  ['sound.mp3', 'audio/mpeg', true],
  ['film.mp4', 'video/mp4', true],
  ['offer.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', false],
  ['offer.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', false],
  ['all.zip', 'application/zip', false],
  ['notes.txt', 'text/plain', false],
])('opens %s in a tab only if browsers show it: %s', async (name, type, isShown) => {
  fakeApi({ 'files.link': () => links })
  press(createEvent.click, { name, type })
  const [expected, other] = isShown ? [replace, vi.mocked(downloadFile)] : [vi.mocked(downloadFile), replace]
  await waitFor(() => expect(expected).toHaveBeenCalledOnce())
  expect(other).not.toHaveBeenCalled()
  expect(open).toHaveBeenCalledTimes(isShown ? 1 : 0)
})

it('shows the picture of a new link after an expired one has failed', () => {
  const noop = () => undefined
  const createRow = (url: string) => (
    <FileRow
      file={{ ...file, name: 'cups.png', type: 'image/png', url }}
      titles={new Map()}
      onView={noop}
      onDelete={noop}
    />
  )
  const { container, rerender } = render(createRow('https://s3/expired'), { wrapper: PageProviders })
  const findPicture = () => container.querySelector('img')
  fireEvent.error(findPicture() as HTMLImageElement)
  expect(findPicture()).toBeNull()
  rerender(createRow('https://s3/new'))
  expect(findPicture()?.src).toBe('https://s3/new')
})

it('a conversation without a title is called so in the language of the page', () => {
  render(
    <FileRow
      file={{ ...file, session_ids: ['c1'] }}
      titles={new Map([['c1', 'New Chat']])}
      onView={() => undefined}
      onDelete={() => undefined}
    />,
    { wrapper: PageProviders },
  )
  expect(screen.getByRole('link', { name: 'Neuer Chat' }).getAttribute('href')).toBe('/?c=c1')
})
