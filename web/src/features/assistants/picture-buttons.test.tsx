import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { PageProviders } from '../../../../test/support/render-page.tsx'
import type { cropPicture } from '../../lib/browser/crop-picture.ts'
import { readInput, type Entry } from '../../lib/input/inputs.ts'
import { useInput } from '../../lib/input/use-input.ts'
import { PictureButtons } from './picture-buttons.tsx'
import { toPublishForm, type PublishForm } from './publish-form.ts'

const crop = vi.hoisted(() => vi.fn<typeof cropPicture>())
vi.mock('../../lib/browser/crop-picture.ts', async (original) => ({
  ...(await original<object>()),
  cropPicture: crop,
}))

const before = { picture: { url: '/pictures/before' } }
const readPicture = () => (readInput('publish/p') as Entry<PublishForm> | undefined)?.value.picture
function Editor() {
  const input = useInput<PublishForm>('publish/p', {
    stored: toPublishForm({ id: 'p', name: 'Orders' }, { before: undefined, prompts: [], groups: [] }),
    onLeave: 'forget',
  })
  return <PictureButtons input={input} before={before} />
}

it('cannot be removed while another picture is prepared, which would come after it', async () => {
  const cropped = Promise.withResolvers<Blob>()
  crop.mockReturnValueOnce(cropped.promise)
  render(<Editor />, { wrapper: PageProviders })
  const png = new File([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)], 'logo.png')
  fireEvent.change(screen.getByLabelText('Picture'), { target: { files: [png] } })
  await waitFor(() => expect(crop).toHaveBeenCalled())
  fireEvent.click(screen.getByRole('button', { name: 'Remove the picture' }))
  expect(readPicture()).toBeUndefined()
  await act(async () => cropped.resolve(new Blob(['x'], { type: 'image/webp' })))
  await waitFor(() => expect(readPicture()).toMatch(/^data:image\/webp/))
  fireEvent.click(screen.getByRole('button', { name: 'Remove the picture' }))
  expect(readPicture()).toBeNull()
})
