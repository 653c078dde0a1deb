import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { AttachmentChips } from './attachment-chips.tsx'
import { createUploadQueue, type DraftAttachment } from './upload-queue.ts'

const queue = createUploadQueue({
  upload: () => new Promise(() => undefined),
  restored: [],
  onChange: () => undefined,
})
const file: DraftAttachment = {
  key: 'k',
  name: 'a.txt',
  type: 'text/plain',
  size: 0,
  status: 'waiting',
  progress: 0,
}

it('a failed upload is a new alert, which screen readers announce', () => {
  const { rerender } = render(<AttachmentChips queue={queue} files={[file]} />)
  const status = screen.getByText('waiting')
  rerender(<AttachmentChips queue={queue} files={[{ ...file, status: 'failed', error: 'Too large.' }]} />)
  expect(screen.getByRole('alert').textContent).toBe('Too large.')
  expect(status.isConnected).toBe(false)
})

it('a picture that the browser cannot show has the icon of its file', () => {
  const picture = { ...file, name: 'a.heic', type: 'image/heic', thumbnail: 'blob:x' }
  const { container } = render(<AttachmentChips queue={queue} files={[picture]} />)
  const image = container.querySelector('img')
  if (image) fireEvent.error(image)
  expect([container.querySelector('img'), image === null]).toEqual([null, false])
  expect(container.querySelector('[data-kind]')).toBeTruthy()
})
