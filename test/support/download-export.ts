/** Downloads the archive of an `account.export` response as a browser does, without a token. @throws Error when refused */
export async function downloadExport(download: unknown): Promise<{ headers: Headers; bytes: Buffer }> {
  const { url } = download as { url?: string }
  if (url === undefined) throw new Error(`no export: ${JSON.stringify(download)}`)
  const response = await fetch(url)
  if (!response.ok) throw new Error(`no archive: ${response.status}`)
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
