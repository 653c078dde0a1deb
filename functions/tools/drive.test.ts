import { sayTool } from '#shared/sentences/tools.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  type CannedResponse,
  type ProviderHarness,
  startProviderHarness,
} from '../../test/support/provider-harness.ts'
import type { ConnectedApi } from '../providers/api.ts'
import { openConnections } from '../integrations/credentials/open-connections.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { ResponseTooLarge } from '../platform/net/outbound-http.ts'
import { ProviderError } from '../providers/provider-error.ts'
import { downloadDriveFile, driveOpener, listDriveFiles } from './drive.ts'

let harness: ProviderHarness
let api: ConnectedApi
beforeAll(async () => {
  harness = await startProviderHarness()
  api = await harness.connect('google-drive')
})
afterAll(() => harness.close())
beforeEach(() => {
  harness.canned.length = 0
  harness.sent.length = 0
})

const metadata = (file: object): CannedResponse => ({ status: 200, body: JSON.stringify(file) })
const google = (kind: string) => `application/vnd.google-apps.${kind}`
const refusal = (status: number, message: string, reason: string): CannedResponse => ({
  status,
  body: JSON.stringify({ error: { code: status, message, errors: [{ domain: 'global', reason, message }] } }),
})

it('lists what can be attached: no folders, forms and shortcuts, and no size of what is converted', async () => {
  const modifiedTime = '2026-11-19T08:00:00.000Z'
  harness.canned.push(
    metadata({
      files: [
        { id: 'a', name: 'Plan', mimeType: google('document'), size: '1024', modifiedTime },
        { id: 'b', name: 'Holidays', mimeType: google('folder') },
        { id: 'c', name: 'Survey', mimeType: google('form') },
        { id: 'd', name: 'Link', mimeType: google('shortcut') },
        { id: 'e', name: 'Scan.pdf', mimeType: 'application/pdf', size: '2048' },
        { id: 'f', name: 'no type', modifiedTime: 'lately' },
        { id: 'g', name: 'odd', mimeType: 'constructor', size: '3' },
        {
          id: 'h',
          name: 'Way',
          mimeType: google('shortcut'),
          shortcutDetails: { targetId: 'e', targetMimeType: 'application/pdf' },
        },
        { id: 'i', mimeType: 'text/plain' },
      ],
      nextPageToken: 'more',
    }),
  )
  expect(await listDriveFiles(api, '')).toEqual({
    files: [
      { id: 'a', name: 'Plan', type: google('document'), size: null, modified_at: modifiedTime },
      { id: 'e', name: 'Scan.pdf', type: 'application/pdf', size: 2048, modified_at: null },
      { id: 'f', name: 'no type', type: '', size: null, modified_at: null },
      { id: 'g', name: 'odd', type: 'constructor', size: 3, modified_at: null },
      { id: 'h', name: 'Way', type: 'application/pdf', size: null, modified_at: null },
      { id: 'i', name: '', type: 'text/plain', size: null, modified_at: null },
    ],
    more: true,
  })
})

it('finds files by words, and reads their bytes as they are', async () => {
  const { files } = await listDriveFiles(api, 'travel')
  expect(files.map(({ name }) => name)).toEqual(['Travel plan.md'])
  const { body, ...file } = await downloadDriveFile(api, files[0]?.id ?? '')
  expect(file).toEqual({ name: 'Travel plan.md', type: 'text/markdown' })
  expect(new TextDecoder().decode(body)).toBe('# Lisbon\n\nThree days in May.')
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
  harness.canned.push(metadata({ name: 'a.bin', mimeType: 'application/x-thing', size: '256' }), {
    status: 200,
    body: bytes,
  })
  expect((await downloadDriveFile(api, 'x')).body).toEqual(bytes)
  harness.canned.push(metadata({ name: 'odd', mimeType: 'constructor' }), { status: 200, body: 'x' })
  expect(await downloadDriveFile(api, 'x')).toMatchObject({ name: 'odd', type: 'constructor' })
})

it.each([
  ['document', 'docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['spreadsheet', 'xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['presentation', 'pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['drawing', 'png', 'image/png'],
])('converts a %s of Google’s own to %s', async (kind, extension, type) => {
  harness.canned.push(metadata({ name: 'Plan 1.5', mimeType: google(kind), size: '99999999' }), {
    status: 200,
    body: 'PK',
    at: '/export',
  })
  const { body, ...file } = await downloadDriveFile(api, 'a/b')
  expect(file).toEqual({ name: `Plan 1.5.${extension}`, type })
  expect(body.length).toBe(2)
  const { url, headers } = harness.sent.at(-1) ?? {}
  expect([url?.pathname, url?.searchParams.get('mimeType'), headers?.['accept']]).toEqual([
    '/google-drive/api/files/a%2Fb/export',
    type,
    '*/*',
  ])
})

it.each([
  ['Plan 2026/27: Q1', 'Plan 2026_27: Q1.docx'],
  ['Offer.docx', 'Offer.docx'],
  ['', 'Untitled.docx'],
])('names the file of %j %s', async (name, shown) => {
  harness.canned.push(metadata({ name, mimeType: google('document') }), {
    status: 200,
    body: 'PK',
    at: '/export',
  })
  expect((await downloadDriveFile(api, 'x')).name).toBe(shown)
})

it('follows a shortcut, and no second one', async () => {
  const shortcut = metadata({
    name: 'Way.txt',
    mimeType: google('shortcut'),
    shortcutDetails: { targetId: 'e', targetMimeType: 'text/plain' },
  })
  harness.canned.push(shortcut, metadata({ name: 'real.txt', mimeType: 'text/plain' }), {
    status: 200,
    body: 'hi',
  })
  expect(await downloadDriveFile(api, 'x')).toMatchObject({ name: 'Way.txt', type: 'text/plain' })
  harness.canned.push(shortcut, shortcut)
  await expect(downloadDriveFile(api, 'x')).rejects.toMatchObject({ code: 'drive_no_file' })
})

const sizeLimit = {
  code: 'file_too_large',
  userMessage: 'This file is too large. From Google Drive files of at most 20 MB can be attached.',
}
it.each<[string, CannedResponse[], object]>([
  ['too large by its size', [metadata({ name: 'a.zip', size: String(20 * 1024 ** 2 + 1) })], sizeLimit],
  [
    'a folder',
    [metadata({ name: 'b', mimeType: google('folder') })],
    { code: 'drive_no_file', userMessage: 'Google Drive has no file for this.' },
  ],
  [
    'empty',
    [metadata({ name: 'c.txt', mimeType: 'text/plain', size: '0' }), { status: 200, body: '' }],
    { code: 'drive_no_file', userMessage: 'This file is empty.' },
  ],
  [
    'not for downloads',
    [
      metadata({ name: 'd.pdf', mimeType: 'application/pdf', size: '1' }),
      refusal(403, 'This file cannot be downloaded by the user.', 'cannotDownloadFile'),
    ],
    {
      code: 'drive_failed',
      userMessage: 'Google Drive does not allow this. It said: "This file cannot be downloaded by the user."',
    },
  ],
  [
    'gone',
    [refusal(404, 'File not found: x.', 'notFound')],
    { code: 'drive_failed', userMessage: expect.stringContaining('no such thing') as string },
  ],
  [
    'described by something else',
    [metadata(['?'])],
    { code: 'drive_failed', userMessage: 'Google Drive answered in an unexpected format.' },
  ],
])('says why a file that is %s cannot be attached', async (_, canned, error) => {
  harness.canned.push(...canned)
  await expect(downloadDriveFile(api, 'x')).rejects.toMatchObject(error)
})

it('asks to connect again when the grant is gone', async () => {
  harness.canned.push(refusal(401, 'Invalid Credentials', 'authError'))
  harness.canned.push(refusal(401, 'Invalid Credentials', 'authError'))
  await expect(listDriveFiles(api, '')).rejects.toMatchObject({
    status: 409,
    userMessage: 'Google Drive has to be connected again. You can do that under "Tools".',
  })
})

it('opens the Drive of its user alone, if their groups allow it', async () => {
  const openDrive = driveOpener(openConnections(openTable('test')))
  await expect(openDrive('somebody else', undefined)).rejects.toMatchObject({
    status: 409,
    userMessage: 'Google Drive is not connected.',
  })
  await expect(openDrive(harness.sub, 'none')).rejects.toMatchObject({ code: 'connection_not_allowed' })
  const opened = await openDrive(harness.sub, 'built_in')
  expect((await listDriveFiles(opened, '')).files).toHaveLength(3)
})

it('reads no more than a file may have, whatever size was stated', async () => {
  const cause = new ResponseTooLarge('more than 20 MB')
  const endless: ConnectedApi = {
    call: () =>
      Promise.reject(
        new ProviderError(sayTool('tool_failed', { message: 'too much' }), undefined, { cause }),
      ),
  }
  await expect(downloadDriveFile(endless, 'x')).rejects.toMatchObject(sizeLimit)
})
