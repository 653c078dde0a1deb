import { act, createEvent, fireEvent, renderHook } from '@testing-library/react'
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

it('a paste attaches its files before the code for drops has loaded, once', () => {
  const onFiles = vi.fn<(files: readonly File[]) => void>()
  const { unmount } = renderHook(() => useFileDrop(onFiles))
  const paste = () => {
    const event = createEvent.paste(document.body)
    Object.defineProperty(event, 'clipboardData', { value: { types: ['Files'], items: [], files: [file] } })
    return fireEvent(document.body, event)
  }
  expect(paste()).toBe(false)
  expect(onFiles.mock.calls).toEqual([[[file]]])
  unmount()
  expect(paste()).toBe(true)
})

it.each([
  ['a file', [item(false, file)], [file], undefined],
  [
    'what cannot be read',
    [item(false, null)],
    undefined,
    'Something you dropped is not a file that can be read',
  ],
])('a drop of %s attaches files and says what it left out', async (_, items, files, title) => {
  vi.mocked(showToast).mockClear()
  const onFiles = vi.fn<(files: readonly File[]) => void>()
  const listening = vi.spyOn(document, 'addEventListener')
  renderHook(() => useFileDrop(onFiles))
  await vi.waitFor(() =>
    expect(listening).toHaveBeenCalledWith('dragenter', expect.anything(), expect.anything()),
  )
  drop({ types: ['Files'], items, files: [] })
  expect(onFiles.mock.calls).toEqual(files ? [[files]] : [])
  await vi.waitFor(() =>
    expect(vi.mocked(showToast).mock.calls.map(([, text]) => text)).toEqual(
      title === undefined ? [] : [title],
    ),
  )
})

it('a dropped folder attaches its files in order of their paths, also of folders in it; hidden ones are left out and counted', async () => {
  vi.mocked(showToast).mockClear()
  const onFiles = vi.fn<(files: readonly File[]) => void>()
  const listening = vi.spyOn(document, 'addEventListener')
  renderHook(() => useFileDrop(onFiles))
  await vi.waitFor(() =>
    expect(listening).toHaveBeenCalledWith('dragenter', expect.anything(), expect.anything()),
  )
  const fileEntry = (fullPath: string) => ({
    fullPath,
    isFile: true,
    file: (resolve: (file: File) => void) => resolve(new File(['x'], fullPath.split('/').at(-1) ?? '')),
  })
  const folder = (fullPath: string, ...batches: object[][]) => ({
    fullPath,
    isDirectory: true,
    createReader: () => ({
      readEntries: (resolve: (batch: object[]) => void) => resolve(batches.shift() ?? []),
    }),
  })
  const dropped = folder(
    '/work',
    [fileEntry('/work/b10.txt'), folder('/work/a', [fileEntry('/work/a/z.txt')])],
    [fileEntry('/work/b9.txt'), fileEntry('/work/.env'), folder('/work/.git', [fileEntry('/work/.git/c')])],
  )
  drop({ types: ['Files'], items: [{ kind: 'file', webkitGetAsEntry: () => dropped }], files: [] })
  await vi.waitFor(() =>
    expect(onFiles.mock.calls.map(([files]) => files.map(({ name }) => name))).toEqual([
      ['z.txt', 'b9.txt', 'b10.txt'],
    ]),
  )
  expect(vi.mocked(showToast).mock.calls).toMatchObject([
    ['info', 'Folder', { description: '1 hidden file was left out.' }],
  ])
  // one that is empty, and one that cannot be read
  drop({ types: ['Files'], items: [{ kind: 'file', webkitGetAsEntry: () => folder('/none') }], files: [] })
  const broken = {
    ...folder('/x'),
    createReader: () => ({ readEntries: (_: unknown, fail: () => void) => fail() }),
  }
  await vi.waitFor(() => expect(showToast).toHaveBeenCalledTimes(2))
  drop({ types: ['Files'], items: [{ kind: 'file', webkitGetAsEntry: () => broken }], files: [] })
  await vi.waitFor(() =>
    expect(vi.mocked(showToast).mock.calls.slice(1)).toMatchObject([
      ['info', 'Folder', { description: 'The folder has no files to attach.' }],
      ['error', 'The folder could not be read', {}],
    ]),
  )
})

it('a drag ends when it leaves the page, also after the element under the pointer was replaced or entered twice', async () => {
  const listening = vi.spyOn(document, 'addEventListener')
  const onFiles = () => undefined
  const { result } = renderHook(() => useFileDrop(onFiles))
  await vi.waitFor(() =>
    expect(listening).toHaveBeenCalledWith('dragenter', expect.anything(), expect.anything()),
  )
  const drag = (type: string, target: Element, types = ['Files']) => {
    const event = new Event(type, { bubbles: true })
    Object.defineProperty(event, 'dataTransfer', { value: { types } })
    act(() => void target.dispatchEvent(event))
    return result.current
  }
  const [outer, inner] = [document.createElement('div'), document.createElement('p')]
  document.body.append(outer)
  outer.append(inner)
  // each element is entered before the last one is left
  expect(drag('dragenter', outer)).toBe(true)
  expect(drag('dragenter', inner)).toBe(true)
  expect(drag('dragleave', outer)).toBe(true)
  // the reply that streams replaces the element, which hears of the end alone
  inner.remove()
  drag('dragleave', inner)
  expect(drag('dragenter', outer)).toBe(true)
  expect(drag('dragleave', outer)).toBe(false)
  // Firefox enters an element twice
  drag('dragenter', outer)
  drag('dragenter', outer)
  expect(drag('dragleave', outer)).toBe(false)
  // a picture of the page, whose drag ends where it is dropped or with Escape
  drag('dragenter', outer)
  expect(drag('dragend', outer, [])).toBe(false)
  outer.remove()
})
