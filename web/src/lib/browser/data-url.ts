/** Whether a URL contains its content. Files that tools make in temporary chats have such URLs, because they are not stored. */
export const isDataUrl = (url: string | undefined): url is string => url?.startsWith('data:') ?? false

/** @returns the content of a base64 data URL @throws DOMException if it is not in base64 */
export function dataUrlToBlob(url: string): Blob {
  const [head = '', data = ''] = url.split(',')
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
  return new Blob([bytes], { type: head.slice('data:'.length).split(';')[0] ?? '' })
}

/** @returns the content as a base64 data URL @throws DOMException if the blob cannot be read, such as a file that was removed */
export function blobToDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error ?? new Error('the blob could not be read'))
    reader.readAsDataURL(blob)
  })
}
