import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { supportedFormats } from '#shared/document-formats.ts'
import { documentSentences, sayDocument } from '#shared/sentences/documents.ts'
import { docx, pdf, xlsx } from '../support/documents.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { startStack } from '../support/local-stack.ts'
import { demoStack } from '../support/shared-stack.ts'
import { openStackTable } from '../support/stack-table.ts'
import type { StackUser } from '../support/stack-user.ts'
import { analyze, postFile, presign, uploadDocument, uploadFile } from '../support/upload.ts'

const stack = await demoStack()
const [ann, bob] = await Promise.all([stack.newUser(), stack.newUser()])
const endpoints = await stack.endpoints()
const s3 = new S3Client({
  endpoint: endpoints.s3,
  region: 'us-east-1',
  credentials: endpoints.credentials,
})
afterAll(() => s3.destroy())

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const text = (content: string, name = 'notes.txt') => ({ name, type: 'text/plain', content })
const word = (content: Uint8Array, name = 'letter.docx') => ({
  name,
  type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  content,
})
const MB = 1024 * 1024

describe('files of a connected Google Drive', () => {
  it('are listed, copied to the uploads and checked like any other', async () => {
    const user = await stack.newUser()
    expect(await user.send('drive.list', { query: { query: '' } })).toMatchObject({
      status: 409,
      body: { code: 'drive_unavailable' },
    })
    await connectProvider(stack, user, 'google-drive')
    const { files, more } = await user.call('drive.list', { query: { query: 'travel' } })
    expect([files.map(({ name }) => name), more]).toEqual([['Travel plan.md'], false])
    const { attachment: copied } = await user.call('drive.upload', { body: { file_id: files[0]?.id ?? '' } })
    expect(copied).toMatchObject({ name: 'Travel plan.md', size: files[0]?.size })
    expect(copied.url).toBeUndefined()
    const { attachment } = await user.call('files.complete', { params: { attachmentId: copied.id } })
    expect(await (await fetch(attachment.url ?? '')).text()).toContain('Lisbon')
    expect(await user.call('files.list', { query: { limit: 10, offset: 0 } })).toMatchObject({
      attachments: [{ id: copied.id }],
      storage: { used_bytes: files[0]?.size },
    })
    expect(await user.send('drive.upload', { body: { file_id: 'nothing' } })).toMatchObject({
      status: 502,
      body: { code: 'drive_failed' },
    })
  })
})

describe('uploads', () => {
  it('ATT-01 DATA-05 DEC-037 an image is uploaded directly to the store and shown by a link', async () => {
    const attachment = await uploadFile(ann, { name: 'dot.png', type: 'image/png', content: png })
    expect(attachment).toMatchObject({ name: 'dot.png', type: 'image/png', size: png.length })
    expect(attachment.storage_path).toBe(`users/${ann.sub}/${attachment.id}/original`)
    const response = await fetch(attachment.url ?? '')
    expect([response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
      'image/png',
      `inline; filename="dot.png"; filename*=UTF-8''dot.png`,
    ])
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true)
    const bucket = new URL(attachment.url ?? '').pathname.split('/')[1] ?? ''
    const object = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: attachment.storage_path }))
    expect(object.CacheControl, 'LIB-19').toBe('max-age=3600')
    const incoming = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'incoming/' }))
    expect(incoming.KeyCount).toBe(0)
  })

  it.each(['page.html', 'drawing.svg', 'feed.xml', 'script.js', 'notes.txt'])(
    'DEC-037 ATT-09 %s is never displayed by the browser, only downloaded',
    { tags: 'long' },
    async (name) => {
      const types: Record<string, string> = { svg: 'image/svg+xml', html: 'text/html', xml: 'text/xml' }
      const type = types[name.split('.')[1] ?? ''] ?? 'text/plain'
      const { url } = await uploadFile(ann, { name, type, content: '<svg onload="alert(1)"/>' })
      const { headers } = await fetch(url ?? '')
      expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
        'application/octet-stream',
        expect.stringMatching(/^attachment; /),
      ])
    },
  )

  it('a large image has a smaller copy', { tags: 'long' }, async () => {
    const { attachment, upload, previewUpload } = await presign(
      ann,
      { name: 'big.png', type: 'image/png', content: png },
      { preview: { type: 'image/png', size: png.length } },
    )
    if (!previewUpload) throw new Error('no upload for the smaller copy')
    await Promise.all([postFile(upload, png), postFile(previewUpload, png)])
    const response = await ann.call('files.complete', { params: { attachmentId: attachment.id } })
    expect((await fetch(response.attachment.previewUrl ?? '')).status).toBe(200)
  })

  it('LIB-18 the list is sorted by name, has 100 entries by default, and contains only the caller’s files', async () => {
    const person = await stack.newUser()
    for (const name of ['c.txt', 'a.txt', 'b.txt']) await uploadFile(person, text('x', name))
    await presign(person, text('never sent', '0.txt'))
    const all = await person.call('files.list')
    expect([all.attachments.map(({ name }) => name), all.total]).toEqual([['a.txt', 'b.txt', 'c.txt'], 3])
    const second = await person.send('files.list', { query: { limit: '1', offset: '1' } })
    expect(second.body).toMatchObject({ attachments: [{ name: 'b.txt' }], total: 3 })
    expect((await person.send('files.list', { query: { limit: '101' } })).status).toBe(400)
  })

  it('ATT-15 DEC-048 fresh links say when they expire', { tags: 'long' }, async () => {
    const { id } = await uploadFile(ann, { name: 'dot.png', type: 'image/png', content: png })
    const link = await ann.call('files.link', { params: { attachmentId: id } })
    const minutes = (Date.parse(link.expires_at) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThanOrEqual(59)
    expect(minutes).toBeLessThanOrEqual(120)
    const { headers } = await fetch(link.downloadUrl)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="dot.png"/)
    expect(await ann.call('files.link', { params: { attachmentId: id } })).toEqual(link)
  })

  it('a deleted file is gone from the store and from the list', async () => {
    const { id, url } = await uploadFile(ann, text('soon gone'))
    await ann.call('files.delete', { params: { attachmentId: id } })
    expect((await fetch(url ?? '')).status).toBe(404)
    expect((await ann.send('files.delete', { params: { attachmentId: id } })).status).toBe(404)
    expect((await ann.call('files.list')).attachments.map((file) => file.id)).not.toContain(id)
  })

  it('uploads survive a restart', { tags: 'trial' }, async () => {
    const ownStack = await startStack()
    onTestFinished(() => ownStack.stop())
    const user = await ownStack.newUser()
    const { id } = await uploadFile(user, text('kept'))
    await ownStack.kill('SIGKILL')
    await ownStack.restart()
    const { downloadUrl } = await user.call('files.link', { params: { attachmentId: id } })
    expect(await (await fetch(downloadUrl)).text()).toBe('kept')
  })
})

describe('bad uploads', () => {
  const ask = (body: object) => ann.send('files.presign', { body })

  it.each([
    ['a.docx', '', 20],
    ['a.png', 'image/png', 20],
    ['a.mp4', 'video/mp4', 200],
    ['a.mp3', 'audio/mpeg', 200],
  ])(
    'ATT-07 DEC-036 %s may have %s%i MB and no byte more',
    { tags: 'long' },
    async (name, type, megabytes) => {
      expect((await ask({ name, type, size: megabytes * MB })).status).toBe(200)
      const refused = await ask({ name, type, size: megabytes * MB + 1 })
      expect(refused).toMatchObject({
        status: 413,
        body: {
          success: false,
          code: 'file_too_large',
          error: expect.stringContaining(`${megabytes} MB`) as string,
        },
      })
    },
  )

  it('ATT-07 an empty file is refused', { tags: 'long' }, async () => {
    expect(await ask({ name: 'a.txt', type: 'text/plain', size: 0 })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('the file is empty') as string },
    })
  })

  it('ATT-07 the store accepts no byte more than announced', async () => {
    const { attachment, upload } = await presign(ann, text('12345'))
    const response = await postFile(upload, Buffer.from('123456'))
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('EntityTooLarge')])
    expect(await ann.send('files.complete', { params: { attachmentId: attachment.id } })).toMatchObject({
      status: 409,
      body: { code: 'upload_missing' },
    })
  })

  it(
    'an interrupted upload stores nothing, and can be repeated with the same link',
    { tags: 'long' },
    async () => {
      const content = 'x'.repeat(200_000)
      const { attachment, upload } = await presign(ann, text(content))
      const form = new FormData()
      for (const [name, value] of Object.entries(upload.fields)) form.append(name, value)
      form.append('file', new Blob([content]), 'file')
      const whole = new Response(form)
      const body = Buffer.from(await whole.arrayBuffer())
      const { hostname, port, pathname } = new URL(upload.url)
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      const type = whole.headers.get('content-type') ?? ''
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`,
      )
      await new Promise((resolve) => socket.write(body.subarray(0, body.length / 2), resolve))
      socket.destroy()
      await once(socket, 'close')
      const complete = () => ann.send('files.complete', { params: { attachmentId: attachment.id } })
      expect(await complete()).toMatchObject({ status: 409, body: { code: 'upload_missing' } })
      expect((await postFile(upload, Buffer.from(content))).status).toBe(204)
      expect((await complete()).status).toBe(200)
    },
  )

  it('a program with an image’s file name is neither attached nor stored', async () => {
    const program = Buffer.from('4d5a90000300000004000000ffff0000', 'hex')
    const { attachment, upload } = await presign(ann, {
      name: 'cat.png',
      type: 'image/png',
      content: program,
    })
    expect((await postFile(upload, program)).status).toBe(204)
    const complete = () => ann.send('files.complete', { params: { attachmentId: attachment.id } })
    expect(await complete()).toMatchObject({ status: 422, body: { code: 'file_differs' } })
    expect((await complete()).status).toBe(404)
  })

  it(
    'names are shown without paths, control characters and direction overrides, and shortened',
    { tags: 'long' },
    async () => {
      const showName = async (name: string) => (await presign(ann, text('x', name))).attachment.name
      expect(await showName('../../x/passwd.txt')).toBe('passwd.txt')
      expect(await showName('a\u0000\u202Egpj.exe')).toBe('agpj.exe')
      expect(await showName(`${'n'.repeat(300)}.txt`)).toHaveLength(200)
      expect((await ask({ name: 'n'.repeat(1_001), type: '', size: 1 })).status).toBe(400)
    },
  )

  it('another user’s file returns 404', async () => {
    const { id } = await uploadFile(ann, text('mine'))
    for (const route of ['files.complete', 'files.link', 'files.delete'] as const)
      expect((await bob.send(route, { params: { attachmentId: id } })).status).toBe(404)
    expect((await ann.send('files.link', { params: { attachmentId: id } })).status).toBe(200)
  })

  it('an unfinished file has no link', { tags: 'long' }, async () => {
    const { attachment } = await presign(ann, text('x'))
    expect(attachment.url).toBeUndefined()
    expect((await ann.send('files.link', { params: { attachmentId: attachment.id } })).status).toBe(409)
  })
})

describe('analyze-document', () => {
  /** Asks again while the document is being read, as the answer says. */
  const send = async (user: StackUser, file: object, more: object = {}) => {
    for (;;) {
      const response = await user.send('documents.analyze', {
        body: { file, analysisType: 'analyze', ...more },
      })
      if ((response.body as { code?: string }).code !== 'still_reading') return response
    }
  }

  it('DOC-04 DEC-129 accepts the URL and user id of the specification, and checks both', async () => {
    const { url, name, type, size } = await uploadFile(ann, text('Heliotrope'))
    const file = { name, type, size, url }
    expect(await send(ann, file, { userId: ann.sub })).toMatchObject({ status: 200, body: { success: true } })
    expect((await send(ann, file, { userId: bob.sub })).body).toMatchObject({ success: false })
    const foreign = { ...file, url: 'https://example.org/secret.txt' }
    expect((await send(ann, foreign, { userId: ann.sub })).body).toMatchObject({ success: false })
  })

  it('DOC-05 returns the text of a Word document by its link', async () => {
    const { url, name, type, size } = await uploadFile(ann, word(docx(['The secret word is heliotrope.'])))
    expect(await send(ann, { name, type, size, url }, { userId: ann.sub })).toEqual({
      status: 200,
      headers: expect.anything() as unknown,
      body: {
        success: true,
        analysis: 'The secret word is heliotrope.',
        error: null,
        hasActualContent: true,
        contentLength: 30,
        reading: { state: 'read', note: 'read in full', codes: [{ code: 'read_in_full' }] },
      },
    })
  })

  it(
    'DOC-07 DOC-08 LIM-02 returns 8,000 characters and the marker, and stores 2,000 with the file',
    { tags: 'long' },
    async () => {
      const { attachment, analysis } = await uploadDocument(ann, text('word '.repeat(4_000)))
      expect(analysis.analysis.endsWith('\n\n[Content truncated due to length]')).toBe(true)
      expect(analysis.analysis.length).toBe(8_000 + 2 + '[Content truncated due to length]'.length)
      expect(analysis).toMatchObject({ contentLength: 20_000, reading: { state: 'read' } })
      const { attachments } = await ann.call('files.list')
      expect(attachments.find(({ id }) => id === attachment.id)?.reading).toEqual(analysis.reading)
      const table = await openStackTable(stack)
      const rows = await table.readRows(ann.sub)
      table.close()
      expect(rows.find(({ SK }) => SK === `A#${attachment.id}`)?.['extracted_text']).toBe('word '.repeat(400))
    },
  )

  it.each([
    ['DOC-11', word(Buffer.from('PK\u0003\u0004 broken')), documentSentences['unreadable.word']],
    [
      'DOC-11',
      word(Buffer.from('d0cf11e0a1b11ae1' + '00'.repeat(90), 'hex')),
      documentSentences['unreadable.word'],
    ],
    [
      'DOC-12',
      { name: 'old.doc', type: 'application/msword', content: Buffer.from('d0cf11e0a1b11ae1', 'hex') },
      sayDocument('unsupported.format', { formats: supportedFormats }).text,
    ],
    [
      'DOC-12',
      { name: 'a.zip', type: 'application/zip', content: 'PK\u0003\u0004' },
      sayDocument('unsupported.format', { formats: supportedFormats }).text,
    ],
    ['DOC-15', text('  \n\n '), documentSentences['no_content.empty']],
    [
      'DOC-15',
      { name: 'scan.pdf', type: 'application/pdf', content: pdf(['', '']) },
      documentSentences['no_content.scanned'],
    ],
    [
      'DOC-11',
      { name: 'locked.pdf', type: 'application/pdf', content: pdf(['x'], { encrypted: true }) },
      documentSentences['unsupported.encrypted'],
    ],
  ])(
    '%s DOC-09 an unreadable file stays attached, with the reason',
    { tags: 'long' },
    async (_, file, message) => {
      const { attachment, analysis } = await uploadDocument(ann, file)
      expect(analysis).toMatchObject({
        success: false,
        error: message,
        analysis: message,
        hasActualContent: false,
        contentLength: 0,
        reading: { state: 'unreadable', note: message },
      })
      expect((await ann.call('files.link', { params: { attachmentId: attachment.id } })).success).toBe(true)
    },
  )

  const fixture = (name: string) => readFileSync(new URL(`../fixtures/files/${name}`, import.meta.url))
  it.each([
    ['page.vue', '', '<template>heron</template>', 'text/plain', 'read in full'],
    ['Dockerfile', 'application/octet-stream', 'FROM heron', 'text/plain', 'read in full'],
    ['code.ts', 'video/mp2t', 'const heron = 1', 'text/x-typescript', 'read in full'],
    ['drawing.svg', 'image/svg+xml', '<svg><title>heron</title></svg>', 'image/svg+xml', 'read in full'],
    ['letter.docx', '', 'heron, but no document', 'text/plain', 'read in full'],
    ['garbage.pdf', 'application/pdf', 'heron, but no PDF', 'text/plain', 'read in full'],
    ['mail.eml', 'message/rfc822', 'Subject: heron\n\nHello', 'message/rfc822', 'read in full'],
    [
      'book.ipynb',
      '',
      JSON.stringify({ cells: [{ cell_type: 'markdown', source: ['heron'] }] }),
      'text/plain',
      'read in full',
    ],
    [
      'prices.csv',
      'application/vnd.ms-excel',
      fixture('texts/windows-1251.txt'),
      'text/csv',
      'read in full; read as windows-1251, which is a guess',
    ],
    [
      'scan.dat',
      '',
      fixture('pdf/scanned-pages.pdf'),
      'application/pdf',
      'pages 2–4 have no text, they may be scanned; 1 picture was not read',
    ],
  ])(
    'DEC-038 %s of type "%s" is attached and read as what its bytes are',
    { tags: 'long' },
    async (name, type, content, storedType, note) => {
      const { attachment, analysis } = await uploadDocument(ann, { name, type, content })
      expect([attachment.name, attachment.type, analysis.reading.note]).toEqual([name, storedType, note])
      expect(analysis.analysis).toMatch(/heron|Договор|Cover sheet/)
    },
  )

  it(
    'DEC-038 a picture under another name is attached as the picture that it is',
    { tags: 'long' },
    async () => {
      const content = fixture('pictures/jpeg-named.png')
      const attachment = await uploadFile(ann, { name: 'jpeg-named.png', type: 'image/png', content })
      expect(attachment).toMatchObject({ name: 'jpeg-named.png', type: 'image/jpeg' })
      const response = await fetch(attachment.url ?? '')
      expect(response.headers.get('content-type')).toBe('image/jpeg')
    },
  )

  it(
    'DOC-14 a zip bomb is reported by the document’s name, and the server survives',
    { tags: 'trial' },
    async () => {
      const bomb = docx(['x'], '', { 'word/document.xml': new Uint8Array(60 * MB).fill(32) })
      const { analysis } = await uploadDocument(ann, word(bomb, 'bomb.docx'))
      expect(analysis.error).toBe(sayDocument('too_large', { name: 'bomb.docx' }).text)
      const table = { name: 'a.xlsx', type: '', content: xlsx({ A: [['alive']] }) }
      expect((await uploadDocument(ann, table)).analysis.analysis).toContain('alive')
    },
  )

  it.each([
    ['an address elsewhere', () => ({ url: 'https://example.com/secret.docx' })],
    ['the metadata service', () => ({ url: 'http://169.254.169.254/latest/meta-data' })],
    ['no address', () => ({})],
    ['an unknown id', () => ({ id: 'nothing' })],
    ['an id with a separator', () => ({ id: 'a/../b' })],
  ])('DOC-13 DEC-003 %s is never fetched', { tags: 'long' }, async (_, place) => {
    expect(await send(ann, { name: 'a.docx', ...place() })).toMatchObject({
      status: 404,
      body: { success: false, error: documentSentences.inaccessible },
    })
  })

  it('DOC-13 DEC-003 refuses another user’s file by id and by link, and another user’s id', async () => {
    const { id, url, name } = await uploadFile(ann, text('mine'))
    expect((await send(bob, { name, id })).status).toBe(404)
    expect((await send(bob, { name, url })).status).toBe(404)
    expect((await send(ann, { name, id }, { userId: bob.sub })).status).toBe(403)
  })

  it('DOC-13 reports a file that was deleted in the meantime', { tags: 'long' }, async () => {
    const attachment = await uploadFile(ann, text('soon gone'))
    await ann.call('files.delete', { params: { attachmentId: attachment.id } })
    await expect(analyze(ann, attachment)).rejects.toThrow('404')
  })
})
