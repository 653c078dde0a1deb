import { StreamedResponse } from '../../functions/platform/http/api-function.ts'

/** The JSON of a handler's response, streamed or not. */
export async function readJsonResponse(response: unknown): Promise<unknown> {
  if (!(response instanceof StreamedResponse)) return response
  let text = ''
  for await (const chunk of response.chunks) text += String(chunk)
  return JSON.parse(text)
}
