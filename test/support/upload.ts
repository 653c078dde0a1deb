import type { Attachment } from '#shared/contracts/files.ts'
import type { RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { StackUser } from './stack-user.ts'

export interface TestFile {
  name: string
  type: string
  content: string | Uint8Array
}

const toBytes = ({ content }: TestFile) => Buffer.from(content as string)

/** Sends the bytes as a browser does: a form with all fields, the file last. */
export async function postFile(
  { url, fields }: RouteResponse<'files.presign'>['upload'],
  content: Uint8Array,
): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(content)]), 'file')
  return fetch(url, { method: 'POST', body: form })
}

export const presign = (user: StackUser, file: TestFile, more: Partial<RouteRequest<'files.presign'>> = {}) =>
  user.call('files.presign', {
    body: { name: file.name, type: file.type, size: toBytes(file).length, ...more },
  })

/** Uploads a file, with all steps. @throws Error when the store or the product refuses it */
export async function uploadFile(user: StackUser, file: TestFile): Promise<Attachment> {
  const { attachment, upload } = await presign(user, file)
  const response = await postFile(upload, toBytes(file))
  if (response.status !== 204)
    throw new Error(`the store answered ${response.status}: ${await response.text()}`)
  const done = await user.call('files.complete', { params: { attachmentId: attachment.id } })
  return done.attachment
}

/** Uploads a document and waits until it has been read. */
export async function uploadDocument(user: StackUser, file: TestFile) {
  const attachment = await uploadFile(user, file)
  const analysis = await analyze(user, attachment)
  return { attachment, analysis }
}

/** Asks again while the document is being read: a busy machine takes longer than one request may. */
export async function analyze(user: StackUser, { id, name, type, size }: Attachment) {
  const body = { file: { id, name, type, size }, analysisType: 'analyze' as const, userId: user.sub }
  let analysis = await user.call('documents.analyze', { body })
  while (analysis.code === 'still_reading') analysis = await user.call('documents.analyze', { body })
  return analysis
}
