import { expect, it } from 'vitest'
import { ReplyLog } from '../../conversations/store/reply-log.ts'
import type { ImageModel } from '../../models/image-model.ts'
import { assistantTools } from './assistant-tools.ts'

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
  return assistantTools({ fileDeps, imageModel, queryTables }, input).map(({ name }) => name)
}

it('reads and searches documents in every conversation, so that a file does not change the tools', () => {
  expect(offer()).toEqual(['read_attachment', 'search_files', 'query_table'])
})

it('draws if a model for images is configured', () => {
  const drawing: ImageModel = { generate: () => Promise.reject(new Error('is not asked')) }
  expect(offer(drawing)).toEqual(['read_attachment', 'search_files', 'query_table', 'generate_image'])
})
