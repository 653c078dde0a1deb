import { createEvent, fireEvent, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { showToast } from '../../../components/ui/toast.ts'
import { useFileDrop } from './use-file-drop.ts'

vi.mock('../../../components/ui/toast.ts', () => ({ showToast: vi.fn<() => void>() }))

const file = new File(['x'], 'a.txt')
const item = (isDirectory: boolean, content: File | null) => ({
  kind: 'file',
  webkitGetAsEntry: () => ({ isDirectory }),
  getAsFile: () => content,
})

/** @returns whether the browser would navigate to what is dropped */
function drop(dataTransfer: object): boolean {
  const event = createEvent.drop(document)
  Object.defineProperty(event, 'dataTransfer', { value: dataTransfer })
  return fireEvent(document, event)
}

it('a drop attaches its files before the code for drops has loaded, and while it cannot be loaded; a dropped text is left alone', () => {
  const onFiles = vi.fn<(files: readonly File[]) => void>()
  const { unmount } = renderHook(() => useFileDrop(onFiles))
  expect(drop({ types: ['text/plain'], items: [], files: [] })).toBe(true)
  expect(drop({ types: ['Files'], items: [], files: [file] })).toBe(false)
  expect(onFiles.mock.calls).toEqual([[[file]]])
  unmount()
  drop({ types: ['Files'], items: [], files: [file] })
  expect(onFiles).toHaveBeenCalledOnce()
})

it.each([
  ['a file', [item(false, file)], [file], undefined],
  ['a folder', [item(true, file)], undefined, 'Folders cannot be attached'],
  ['a folder and a file', [item(true, file), item(false, file)], [file], 'Folders cannot be attached'],
  ['what cannot be read', [item(false, null)], undefined, 'What you dropped has no file that can be read'],
])('a drop of %s attaches files and says what it left out', async (_, items, files, title) => {
  vi.mocked(showToast).mockClear()
  const onFiles = vi.fn<(files: readonly File[]) => void>()
  const listening = vi.spyOn(document, 'addEventListener')
  renderHook(() => useFileDrop(onFiles))
  await vi.waitFor(() => expect(listening).toHaveBeenCalledWith('dragenter', expect.anything()))
  drop({ types: ['Files'], items, files: [] })
  expect(onFiles.mock.calls).toEqual(files ? [[files]] : [])
  await vi.waitFor(() =>
    expect(vi.mocked(showToast).mock.calls.map(([, text]) => text)).toEqual(
      title === undefined ? [] : [title],
    ),
  )
})
