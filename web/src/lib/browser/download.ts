/** By then a browser has begun the download, and keeps the content itself. */
const revokeDelayMs = 10_000

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
  setTimeout(() => URL.revokeObjectURL(url), revokeDelayMs)
}
