export const findFileItems = (data: DataTransfer | null) =>
  [...(data?.items ?? [])].filter(({ kind }) => kind === 'file')

export const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory === true

/** The files of a drop or a paste, without folders. */
export function extractFiles(data: DataTransfer | null): File[] {
  const items = findFileItems(data)
  return items.length === 0
    ? [...(data?.files ?? [])]
    : items.flatMap((item) => (isFolder(item) ? [] : (item.getAsFile() ?? [])))
}

/** An open dialog covers the conversation. */
export const isCovered = () => document.querySelector('[role=dialog][data-state=open]') !== null

/** Whether an event is in a field that is no composer, and handles what is pasted itself. */
function isOtherField(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input,[contenteditable],textarea:not([data-composer])') !== null
  )
}

/** The files of a paste that is meant for the conversation. */
export function takePastedFiles(event: ClipboardEvent): File[] {
  const files = extractFiles(event.clipboardData)
  if (files.length === 0 || isOtherField(event.target) || isCovered()) return []
  // a copied table or text also has an image of itself, which is not meant
  if (['text/plain', 'text/html'].every((type) => event.clipboardData?.types.includes(type))) return []
  event.preventDefault()
  return files
}
