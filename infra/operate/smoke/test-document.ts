import type { Attachment } from '#shared/contracts/files.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { CallApi } from '../sign-in.ts'
import type { StreamedReply } from './read-reply.ts'

/** A call that does not stream ends within this time. */
export const callMs = 15_000

const name = 'smoke-test.txt'
const type = 'text/plain'
const tool = 'read_attachment'

/** Where the last part of the document begins. */
const lastPartFrom = 1_000

/** Sent with the document. It fits into the prompt, so the tool is asked for by name. */
export const documentQuestion = `Call the tool ${tool} for the attached file, from character ${lastPartFrom} on, even if you see all of the file. Then tell me the code word in its last line, and nothing else.`

function buildText(codeWord: string): string {
  const line = 'This line of the smoke test says nothing that anybody needs to know.\n'
  return `${line.repeat(Math.ceil((2 * lastPartFrom) / line.length))}The code word is ${codeWord}.\n`
}

/**
 * Uploads a text directly to the store and has it extracted, like the page.
 * @throws Error with the response of the store or the route
 */
export async function uploadDocument(call: CallApi, signal: AbortSignal): Promise<Attachment> {
  const withTimeout = () => AbortSignal.any([signal, AbortSignal.timeout(callMs)])
  const content = new Blob([buildText(crypto.randomUUID().slice(0, 8))])
  const presigned = await call('files.presign', {
    signal: withTimeout(),
    params: {},
    body: { name, type, size: content.size },
  })
  const { attachment, upload } = (await presigned.json()) as RouteResponse<'files.presign'>
  const form = new FormData()
  for (const [field, value] of Object.entries(upload.fields)) form.append(field, value)
  form.append('file', content, name)
  const stored = await fetch(upload.url, { method: 'POST', body: form, signal: withTimeout() })
  if (stored.status !== 204)
    throw new Error(`the store answered ${stored.status}: ${(await stored.text()).slice(0, 300)}`)
  const { id } = attachment
  await call('files.complete', { signal: withTimeout(), params: { attachmentId: id } })
  const analyzed = await call('documents.analyze', {
    // the parser may start cold
    signal: AbortSignal.any([signal, AbortSignal.timeout(4 * callMs)]),
    params: {},
    body: { file: { id, name, type, size: content.size }, analysisType: 'analyze' },
  })
  const { success, error } = (await analyzed.json()) as RouteResponse<'documents.analyze'>
  if (!success) throw new Error(`the text could not be extracted: ${error}`)
  return attachment
}

/** @returns the tool's result. @throws Error when the model did not call it, or the call failed */
export function checkToolCall({ toolCalls, notices, text }: StreamedReply): string {
  const call = toolCalls.find((each) => each.name === tool)
  if (!call && notices.length > 0)
    throw new Error(`the model called no tool. ${notices.map((notice) => notice.text).join(' ')}`)
  if (!call) throw new Error(`the model did not call ${tool}, but answered: ${text.trim().slice(0, 200)}`)
  if (call.status !== 'done') throw new Error(`${tool} failed: ${call.error ?? 'no outcome'}`)
  return `${tool} read ${name}`
}
