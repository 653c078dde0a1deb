import { expect, it } from 'vitest'
import { readCappedJson } from './read-capped.ts'

const buildResponse = (...chunks: string[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
        controller.close()
      },
    }),
  )

it('reads a response up to the size limit, in however many chunks', async () => {
  expect(await readCappedJson(buildResponse('{"a":', '"ü"}'), 10)).toEqual({ a: 'ü' })
  await expect(readCappedJson(buildResponse('{"a":', '"ü" }'), 10)).rejects.toThrow('the answer is too large')
})

it('reports a response that cannot be read', async () => {
  await expect(readCappedJson(buildResponse('{'), 10)).rejects.toMatchObject({
    message: 'the answer could not be read',
    cause: { name: 'SyntaxError' },
  })
  await expect(readCappedJson(new Response(null), 10)).rejects.toThrow('the answer could not be read')
})
