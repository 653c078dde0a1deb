import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

const passedHeaders = ['content-type', 'retry-after', 'x-amzn-errortype', 'x-amzn-requestid']

/** Passes the answer of another server on as it comes. */
export async function sendAnswer(answer: Response, response: ServerResponse): Promise<void> {
  const headers = passedHeaders.flatMap((name) => {
    const value = answer.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  response.writeHead(answer.status, Object.fromEntries(headers))
  // a model may think for long before it says anything
  response.flushHeaders()
  if (answer.body) await pipeline(answer.body, response)
  else response.end()
}
