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
  await vi.waitFor(() => expect(listening).toHaveBeenCalledWith('drop', expect.anything()))
  const drop = createEvent.drop(document)
  Object.defineProperty(drop, 'dataTransfer', { value: { types: ['Files'], items, files: [] } })
  fireEvent(document, drop)
  expect(onFiles.mock.calls).toEqual(files ? [[files]] : [])
  await vi.waitFor(() =>
    expect(vi.mocked(showToast).mock.calls.map(([, text]) => text)).toEqual(
      title === undefined ? [] : [title],
    ),
  )
})
