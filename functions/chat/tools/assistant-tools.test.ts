import { expect, it } from 'vitest'
import type { Attachment } from '#shared/contracts/files.ts'
import { ReplyLog } from '../../conversations/store/reply-log.ts'
import type { ImageModel } from '../model/image-model.ts'
import { assistantTools } from './assistant-tools.ts'

const spending = {} as Parameters<typeof assistantTools>[1]['spending']
const document = (reading?: Attachment['reading']): Attachment => ({
  id: 'f1',
  name: 'a.pdf',
  type: 'application/pdf',
  size: 1,
  ...(reading && { reading }),
})

function offer(history: Parameters<typeof assistantTools>[1]['history'], imageModel?: ImageModel) {
  const fileDeps = {} as Parameters<typeof assistantTools>[0]['fileDeps']
  const events = new ReplyLog()
  const tools = assistantTools({ fileDeps, imageModel }, { sub: 'ann', history, events, spending })
  return { names: tools.map(({ name }) => name) }
}

it.each<[string, Attachment[][], string[]]>([
  ['no files', [[]], []],
  ['a file that is not read', [[document()]], []],
  ['a document that could not be read', [[document({ status: 'failed', note: '' })]], []],
  [
    'a document among others',
    [[document()], [document({ status: 'failed', note: '' }), document({ status: 'part', note: '' })]],
    ['read_attachment'],
  ],
])('with %s the model may read on: %j', (_, files, names) => {
  expect(offer([{}, ...files.map((attachments) => ({ attachments }))]).names).toEqual(names)
})

it('draws if a model for images is configured', () => {
  const drawing: ImageModel = { generate: () => Promise.reject(new Error('is not asked')) }
  expect(offer([], drawing).names).toEqual(['generate_image'])
  expect(offer([{ attachments: [document({ status: 'whole', note: '' })] }], drawing).names).toEqual([
    'read_attachment',
    'generate_image',
  ])
})
