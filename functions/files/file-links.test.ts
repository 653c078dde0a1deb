import { expect, it } from 'vitest'
import type { ObjectStore } from '../platform/s3/object-store.ts'
import { createViewLink } from './file-links.ts'
import type { StoredFile } from './file-row.ts'

const store = {
  signLink: async (_key: string, { type, disposition }: { type: string; disposition: string }) =>
    `${type} ${disposition.split(';')[0]}`,
} as unknown as ObjectStore
const link = (type: string) => createViewLink(store, 'ann', { id: 'f', name: 'a', type } as StoredFile)

it.each(['image/png', 'application/pdf', 'audio/mpeg', 'audio/x-m4a', 'video/mp4', 'video/quicktime'])(
  'a browser shows %s',
  async (type) => {
    expect(await link(type)).toBe(`${type} inline`)
  },
)

it.each([
  'image/svg+xml',
  'video/svg+xml',
  'audio/xhtml+xml',
  'text/html',
  'image/png; x=y',
  'Video/MP4',
  '__proto__',
])('a browser downloads %s', async (type) => {
  expect(await link(type)).toBe('application/octet-stream attachment')
})
