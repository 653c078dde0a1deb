import { expect, it } from 'vitest'
import { findNamedParts, listNamedImages } from './named-parts.ts'

const tail = (character: string) => character.repeat(64)
const chat = {
  messages: [
    { role: 'system', content: 'data:image/png;base64,no' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${tail('A')}` } },
        { type: 'image_url', image_url: { url: `data:image/png;base64,x${tail('B')}` } },
      ],
    },
  ],
}
const messages = {
  messages: [
    {
      role: 'user',
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: tail('C') } }],
    },
  ],
}
const results = {
  messages: [
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: tail('E') } },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: tail('F') } },
          ],
        },
      ],
    },
  ],
}
const responses = {
  input: [
    {
      type: 'function_call_output',
      output: [{ type: 'input_image', image_url: `data:image/png;base64,${tail('D')}` }],
    },
  ],
}

it.each<[string, object, string[]]>([
  ['Invalid image at messages[1].content[2].image_url', chat, [tail('B')]],
  ['messages.1.content.1.image.source.base64.data: invalid', chat, [tail('A')]],
  ['messages[1]: an image is too large', chat, [tail('A'), tail('B')]],
  ['messages.0.content.0.image.source.base64: image exceeds 5 MB maximum', messages, [tail('C')]],
  // https://github.com/anthropics/claude-code/issues/4778
  ['messages.0.content.0.tool_result.content.2.image.source.base64.data: too large', results, [tail('F')]],
  ['messages.0.content.0.tool_result.content.1.image.source.base64.media_type', results, [tail('E')]],
  ['messages.0.content.0.toolResult.content.2.image', results, [tail('F')]],
  ['messages.0.content.0.tool_result.content.0.text: empty', results, []],
  ['input[0].output[0].image_url is not an image', responses, [tail('D')]],
  ['messages[1].content[0] is empty', chat, []],
  ['messages[9].content[0]', { messages: [] }, []],
  ['Could not process image', chat, []],
])('finds the image of: %s', (text, request, images) => {
  const found = findNamedParts(text, request).flatMap(listNamedImages)
  expect(found.map((image) => image.slice(-64))).toEqual(images)
})

it('finds the parts that a path passes, as far as it leads', () => {
  const [message] = messages.messages
  const found = findNamedParts('messages.0.content.0.thinking.signature: no; messages[5]; tools[0]', messages)
  expect(found).toEqual([
    [messages.messages, message, message?.content, message?.content[0]],
    [messages.messages],
  ])
  expect(found[0]?.[3]).toBe(message?.content[0])
  expect(findNamedParts('input[0]', new FormData())).toEqual([])
})
