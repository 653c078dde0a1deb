import { useEffect, useState } from 'react'

/**
 * Takes files that are dropped anywhere on the page, or pasted where no other field is written in.
 * @returns whether files are being dragged over the page
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    // enter and leave come for every element on the way; the difference counts
    let depth = 0
    const end = () => {
      depth = 0
      setOver(false)
    }
    const enter = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer) || isCovered()) return
      depth += 1
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
      depth -= 1
      if (depth <= 0) end()
    }
    const hover = (event: DragEvent) => {
      // otherwise the browser would leave the page and show the file
      if (hasFiles(event.dataTransfer)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      end()
      if (!isCovered()) onFiles(extractFiles(event.dataTransfer))
    }
    const paste = (event: ClipboardEvent) => {
      const files = extractFiles(event.clipboardData)
      if (files.length === 0 || isOtherField(event.target) || isCovered()) return
      // a copied table or text brings a picture of itself along
      if (['text/plain', 'text/html'].every((type) => event.clipboardData?.types.includes(type))) return
      event.preventDefault()
      onFiles(files)
    }
    document.addEventListener('dragenter', enter)
    document.addEventListener('dragleave', leave)
    document.addEventListener('dragover', hover)
    document.addEventListener('drop', drop)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('dragenter', enter)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('dragover', hover)
      document.removeEventListener('drop', drop)
      document.removeEventListener('paste', paste)
    }
  }, [onFiles])
  return over
}

const hasFiles = (data: DataTransfer | null) => data?.types.includes('Files') ?? false

/** Folders have no content of their own and are left out. */
function extractFiles(data: DataTransfer | null): File[] {
  if (!data) return []
  const entries = [...data.items].filter(({ kind }) => kind === 'file')
  if (entries.length === 0) return [...data.files]
  return entries.flatMap((item) => {
    const file = item.webkitGetAsEntry()?.isDirectory ? null : item.getAsFile()
    return file ? [file] : []
  })
}

function isOtherField(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input,[contenteditable],textarea:not([data-composer])') !== null
  )
}

/** A dialog lies over the conversation: what happens there is not meant for it. */
const isCovered = () => document.querySelector('[role=dialog][data-state=open]') !== null
