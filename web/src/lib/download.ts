/** Hands a file to the browser's downloads. @param address of a blob, or one that answers as an attachment */
export function saveFrom(address: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.rel = 'noopener'
  document.body.append(link)
  link.click()
  link.remove()
}

/** Saves content made by the page itself. */
export function saveBlob(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob)
  saveFrom(address, fileName)
  // the download has its own hold on the content once it has begun
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
