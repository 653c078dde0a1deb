import { expect, it } from 'vitest'
import { ReplyLog } from '../../conversations/store/reply-log.ts'
import type { ImageModel } from '../../models/image-model.ts'
import { assistantTools } from './assistant-tools.ts'
import { memoryTools } from './memory-tools.ts'
import { scheduleTools } from './schedule-tools.ts'

function offer(imageModel?: ImageModel) {
  const fileDeps = {} as Parameters<typeof assistantTools>[0]['fileDeps']
  const spending = {} as Parameters<typeof assistantTools>[1]['spending']
  const input = {
    sub: 'ann',
    events: new ReplyLog(),
    spending,
    listResultTables: () => [],
    listFiles: async () => [],
  }
  const queryTables = () => Promise.reject(new Error('no query'))
  return assistantTools({ fileDeps, imageModel, queryTables }, input)
}
const drawing: ImageModel = { generate: () => Promise.reject(new Error('is not asked')) }
const listNames = (imageModel?: ImageModel) => offer(imageModel).map(({ name }) => name)

it('reads and searches documents in every conversation, so that a file does not change the tools', () => {
  expect(listNames()).toEqual(['read_attachment', 'search_files', 'query_table', 'create_file'])
})

it('draws if a model for images is configured', () => {
  expect(listNames(drawing)).toEqual([
    'read_attachment',
    'search_files',
    'query_table',
    'create_file',
    'generate_image',
  ])
})

it('the schemas of the tools are made once, and not before the model of each reply', () => {
  const open = () => [
    ...offer(drawing),
    ...memoryTools({} as Parameters<typeof memoryTools>[0], 'ann', []),
    ...scheduleTools(
      {} as Parameters<typeof scheduleTools>[0],
      {} as Parameters<typeof scheduleTools>[1],
      () => [],
    ),
  ]
  const again = open()
  for (const [index, { name, parameters }] of open().entries())
    expect([name, parameters.schema === again[index]?.parameters.schema]).toEqual([name, true])
})
