/** Downloads a file. @param url of a blob, or one that responds as an attachment */
export function downloadFile(url: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.rel = 'noopener'
  document.body.append(link)
  link.click()
  link.remove()
}

/** Downloads content created by the page. */
export function downloadBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  downloadFile(url, fileName)
  // the download keeps the content once it has started
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
