import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectFailures } from '../support/browser.ts'
import { docx, docxType, pdf, png } from '../support/document-samples.ts'
import {
  composer,
  waitForReplyEnd,
  sendMessage,
  sendButton,
  sharePage,
  signedInPage,
  waitForFocus,
} from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()
const sharedPage = sharePage(() => signedInPage(stack))

const chips = (page: Page) => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
const readyChip = (page: Page, name: string) =>
  chips(page).filter({ hasText: name }).filter({ hasText: 'ready' })

interface Sample {
  name: string
  mimeType: string
  buffer: Buffer
}
const choose = (page: Page, ...files: Sample[]) => page.getByLabel('Files to attach').setInputFiles(files)
const word = (name: string, ...paragraphs: string[]): Sample => ({
  name,
  mimeType: docxType,
  buffer: docx(...paragraphs),
})
const image = (name: string, width = 60): Sample => ({
  name,
  mimeType: 'image/png',
  buffer: png(width, 40),
})

/** Files as the system passes them when they are dropped or pasted. */
async function transfer(page: Page, kind: 'drop' | 'paste', files: Sample[]) {
  await page.evaluate(
    ({ event, parts }) => {
      const data = new DataTransfer()
      for (const { name, type, content } of parts) {
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
        data.items.add(new File([bytes], name, { type }))
      }
      if (event === 'paste') {
        document.body.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        )
        return
      }
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(
          new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
        )
    },
    {
      event: kind,
      parts: files.map(({ name, mimeType, buffer }) => ({
        name,
        type: mimeType,
        content: buffer.toString('base64'),
      })),
    },
  )
}

it('ATT-02 ATT-03 ATT-04 chips show thumbnail, name and size', async () => {
  const { page } = await sharedPage()
  await choose(page, image('chosen.png'))
  await readyChip(page, 'chosen.png').locator('img').waitFor()
  const thumbnail = readyChip(page, 'chosen.png').locator('img')
  await expect
    .poll(() => thumbnail.evaluate((element) => (element as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
  await choose(page, { name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.alloc(1536, 'a,b\n') })
  await readyChip(page, 'table.csv').waitFor()
  await expect.poll(() => readyChip(page, 'table.csv').innerText()).toContain('1.5 KB')
  expect(await readyChip(page, 'table.csv').locator('img').count()).toBe(0)
})

it(
  'ATT-01 ATT-05 ATT-06 picker, drop and paste attach files, and a chip’s button removes one',
  { tags: 'long' },
  async () => {
    const { page } = await sharedPage()
    await choose(page, word('Agreement.docx', 'Payment within 30 days.'))
    await transfer(page, 'drop', [image('dropped.png')])
    await transfer(page, 'paste', [
      { name: 'pasted.csv', mimeType: 'text/csv', buffer: Buffer.alloc(1536, 'a,b\n') },
    ])
    for (const name of ['Agreement.docx', 'dropped.png', 'pasted.csv']) await readyChip(page, name).waitFor()
    await expect.poll(() => page.getByLabel('Files to attach').getAttribute('accept')).toContain('.docx')
    await page.getByRole('button', { name: 'Remove pasted.csv' }).click()
    await expect.poll(() => chips(page).count()).toBe(2)
  },
)

it('DEC-195 CHAT-25 CHAT-26 a question about a docx is sent while it is read, and answered from its content; the file is named meanwhile, and then what was read', async () => {
  const { page } = await sharedPage()
  // the page is never told that it has been read
  await page.route('**/analyze-document', () => new Promise(() => undefined))
  await choose(
    page,
    word('Agreement.docx', 'The supplier is Altura.', 'Payment is due within 45 days of delivery.'),
  )
  await chips(page).filter({ hasText: 'Agreement.docx' }).getByText('is being read').waitFor()
  const shown = Promise.withResolvers<void>()
  await page.route('**/chat-openai', async (route) => {
    await shown.promise
    await route.continue()
  })
  await sendMessage(page, 'Within how many days is the payment due?')
  await page.getByText('Analyzing document...').waitFor()
  await page.getByText('Reading and analyzing "Agreement.docx"...').waitFor()
  shown.resolve()
  await waitForReplyEnd(page)
  await page
    .getByRole('heading', { name: 'Juno', exact: true })
    .locator('..')
    .getByText(/45 days/)
    .waitFor()
  const note = page.getByRole('button', { name: 'Download Agreement.docx' }).getByText('read in full')
  await note.waitFor()
  await page.reload()
  await note.waitFor()
})

it(
  'DOC-01 DOC-06 a question about a PDF is answered from its content, and the message shows what was read after a reload',
  { tags: 'trial' },
  async () => {
    const { page } = await sharedPage()
    await choose(page, {
      name: 'Manual.pdf',
      mimeType: 'application/pdf',
      buffer: pdf('Welcome to the grinder.', 'The burrs are changed every 500 kilos.'),
    })
    await readyChip(page, 'Manual.pdf').waitFor()
    await sendMessage(page, 'When are the burrs changed?')
    await waitForReplyEnd(page)
    await page.getByText(/500 kilos/).waitFor()
    await page.reload()
    await page.getByText(/500 kilos/).waitFor()
    await page.getByRole('button', { name: 'Download Manual.pdf' }).getByText('all 2 pages').waitFor()
  },
)

it(
  'DEC-033 DOC-06 in a temporary chat the next question is also answered from the document, which is deleted by then',
  { tags: 'trial' },
  async () => {
    const { page, user } = await signedInPage(stack)
    await user.call('account.settings', { body: { keep_conversations: false } })
    await page.reload()
    await choose(page, word('Lease.docx', 'The rent is 900 crowns.', 'The deposit is 2,700 crowns.'))
    await readyChip(page, 'Lease.docx').waitFor()
    await sendMessage(page, 'How much is the rent?')
    await page.getByText(/rent is 900 crowns/).waitFor()
    await waitForReplyEnd(page)
    await expect.poll(async () => (await user.call('files.list')).total).toBe(0)
    await sendMessage(page, 'How much is the deposit?')
    await page.getByText(/deposit is 2,700 crowns/).waitFor()
  },
)

it(
  'DOC-09 DOC-15 a document without content stays attached with the reason, and the message is sent',
  { tags: 'trial' },
  async () => {
    const { page } = await sharedPage()
    await choose(page, word('Empty.docx', '   '))
    await chips(page)
      .getByText(/No meaningful content/)
      .waitFor()
    await sendMessage(page, 'What does it say?')
    await waitForReplyEnd(page)
    await page
      .getByRole('button', { name: 'Download Empty.docx' })
      .getByText(/No meaningful content/)
      .waitFor()
  },
)

it(
  'ATT-10 ATT-11 ATT-13 an attached image is shown to the model, and full screen to the user',
  { tags: 'long' },
  async () => {
    const { page } = await sharedPage()
    await choose(page, image('large.png', 2_600))
    await readyChip(page, 'large.png').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(/I was shown an image \(image\/jpeg/).waitFor()
    await waitForReplyEnd(page)
    const open = page.getByRole('button', { name: 'Open image full screen: large.png' })
    await open.click()
    const viewer = page.getByRole('dialog', { name: 'large.png' })
    // wait until the image has loaded
    await viewer.getByRole('img').waitFor()
    const box = await viewer.getByRole('img').boundingBox()
    expect(box?.height).toBeLessThanOrEqual(800 * 0.9)
    expect(box?.width).toBeLessThanOrEqual(1280)
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    await waitForFocus(open)
    await open.click()
    await viewer.click({ position: { x: 20, y: 700 } })
    await viewer.waitFor({ state: 'detached' })
  },
)

it(
  'DEC-038 files are what their bytes are, models get pictures that they read, and a refused file does not block the others',
  { tags: 'long' },
  async () => {
    const { page } = await sharedPage()
    const picture = async (name: string, mimeType: string): Promise<Sample> => ({
      name,
      mimeType,
      buffer: await readFile(new URL(`../fixtures/files/pictures/${name}`, import.meta.url)),
    })
    const converted = new Map<string, boolean>()
    page.on('request', (request) => {
      if (request.method() !== 'POST' || !request.url().endsWith('/api/attachments')) return
      const { name, preview } = request.postDataJSON() as { name: string; preview?: object }
      converted.set(name, preview !== undefined)
    })
    expectFailures(page, { url: /\/complete$/, status: 422 })
    await choose(
      page,
      await picture('photo.bmp', 'image/bmp'),
      await picture('cmyk.jpg', 'image/jpeg'),
      await picture('rotated.jpg', 'image/jpeg'),
      await picture('animated.gif', 'image/gif'),
      await picture('jpeg-named.png', 'image/png'),
      await picture('scan.tiff', 'image/tiff'),
      {
        name: 'cat.png',
        mimeType: 'image/png',
        buffer: Buffer.from('4d5a90000300000004000000ffff0000', 'hex'),
      },
      { name: 'Dockerfile', mimeType: '', buffer: Buffer.from('FROM scratch\n# The code word is heron.\n') },
    )
    for (const name of [
      'photo.bmp',
      'cmyk.jpg',
      'rotated.jpg',
      'animated.gif',
      'jpeg-named.png',
      'Dockerfile',
    ])
      await readyChip(page, name).waitFor()
    const findChip = (name: string, text: string) => chips(page).filter({ hasText: name }).getByText(text)
    await findChip('scan.tiff', 'this browser cannot convert it').waitFor()
    await findChip('cat.png', 'This file is a program under another name, so it was not attached.').waitFor()
    expect(Object.fromEntries(converted)).toEqual({
      'photo.bmp': true,
      'cmyk.jpg': true,
      'rotated.jpg': true,
      'animated.gif': true,
      'jpeg-named.png': false,
      'scan.tiff': false,
      'cat.png': false,
      Dockerfile: false,
    })
    await composer(page).fill('What is the code word?')
    await sendButton(page).click()
    await page.getByText(/heron/).waitFor()
    await waitForReplyEnd(page)
    await page.getByRole('button', { name: 'Download Dockerfile' }).getByText('read in full').waitFor()
    expect(await page.getByText('cat.png').count()).toBe(0)
  },
)

it(
  'CHAT-16 ATT-14 ATT-16 a generated image shows its prompt and can be downloaded',
  { tags: 'long' },
  async () => {
    const { page } = await sharedPage()
    await sendMessage(page, 'Draw an image of two cups')
    await waitForReplyEnd(page)
    await page.getByText('Tools Executed Successfully').waitFor()
    await page.getByRole('button', { name: /Generate image/ }).waitFor()
    // loaded from this product only
    const image = page.getByRole('button', { name: /^Open image full screen/ }).getByRole('img')
    const address = new URL((await image.getAttribute('src')) ?? '', stack.origin)
    const { s3 } = await stack.endpoints()
    expect([new URL(stack.origin).host, new URL(s3).host, '']).toContain(address.host)
    await page.getByRole('button', { name: /^Open image full screen/ }).click()
    await page.getByText(/^Generated from: .*two cups/).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download', exact: true }).click(),
    ])
    await page.getByText('Image downloaded! 📸').waitFor()
    expect(download.suggestedFilename()).toMatch(/\.png$/)
    const bytes = await readFile(await download.path())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    await expect.poll(() => page.getByRole('link', { name: 'Open' }).getAttribute('target')).toBe('_blank')
    await page.keyboard.press('Escape')
    await page.reload()
    await page
      .getByRole('button', { name: /^Open image full screen/ })
      .getByRole('img')
      .waitFor()
  },
)

it(
  'ATT-07 DEC-036 says which files cannot be attached, before anything is uploaded',
  { tags: 'trial' },
  async () => {
    const { page } = await sharedPage()
    let uploads = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/attachments')) uploads += 1
    })
    await choose(page, { name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) })
    await page.getByText('Not attached', { exact: true }).waitFor()
    await page.getByText(/nothing\.txt: The file is empty\..*20 MB each/).waitFor()
    await choose(
      page,
      ...Array.from({ length: 20 }, (_, index) => ({
        name: `f${index}.txt`,
        mimeType: 'text/plain',
        buffer: Buffer.from('hello'),
      })),
    )
    await page.getByText('10 files not attached').waitFor()
    await page.locator('[data-status=ready]').nth(9).waitFor()
    expect([await chips(page).count(), uploads]).toEqual([10, 10])
  },
)

it(
  'a failed upload can be retried; the text stays, and Send says why it waits',
  { tags: 'trial' },
  async () => {
    const { page } = await sharedPage()
    const { s3 } = await stack.endpoints()
    await page.route(`${s3.replace(/\/$/, '')}/**`, (route) => route.abort(), { times: 1 })
    let links = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/attachments')) links += 1
    })
    expectFailures(page, { url: /./, status: 'network' })
    await choose(page, {
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('The code word is heron.'),
    })
    await chips(page).getByText('The connection was lost.').waitFor()
    await composer(page).fill('What is the code word?')
    await page.getByText('One file could not be attached. Retry or remove it.').waitFor()
    await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Retry notes.txt' }).click()
    await readyChip(page, 'notes.txt').waitFor()
    // each attempt has a link of its own
    expect(links).toBe(2)
    await sendButton(page).click()
    await page.getByText(/heron/).waitFor()
  },
)

it(
  'the store refuses an expired upload link; the text stays, and a retry gets a new link',
  { tags: 'trial' },
  async () => {
    const { page } = await sharedPage()
    const { s3 } = await stack.endpoints()
    const isUpload = { url: new RegExp(`^${s3.replace(/\/$/, '')}`), status: 403 } as const
    expectFailures(page, isUpload)
    await page.route(
      `${s3.replace(/\/$/, '')}/**`,
      (route) =>
        route.fulfill({
          status: 403,
          headers: { 'access-control-allow-origin': '*' },
          contentType: 'application/xml',
          body: '<Error><Code>AccessDenied</Code><Message>Invalid according to Policy: Policy expired.</Message></Error>',
        }),
      { times: 1 },
    )
    await composer(page).fill('half a thought')
    await choose(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
    await chips(page).getByText('The upload was refused.').waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('half a thought')
    await page.getByRole('button', { name: 'Retry notes.txt' }).click()
    await readyChip(page, 'notes.txt').waitFor()
  },
)

async function sendDeletedFile(file: Sample) {
  const { page, user } = await sharedPage()
  await choose(page, file)
  await readyChip(page, file.name).waitFor()
  const { attachments } = await user.call('files.list')
  for (const { id } of attachments) await user.call('files.delete', { params: { attachmentId: id } })
  expectFailures(
    page,
    { url: /chat-openai$/, status: 404 },
    { url: /\/link$/, status: 404 },
    { url: /\/api\/sessions\//, status: 404 },
  )
  await sendMessage(page, 'What does it say?')
  await page.getByText(`“${file.name}” was deleted, so your message was not sent`).first().waitFor()
  await page.getByText('What does it say?', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Edit message' }).click()
  const editor = page.getByRole('textbox', { name: /edit/i })
  await expect.poll(() => editor.inputValue()).toBe('What does it say?')
  await editor.press('Escape')
  // either in the error, or beside the message once the error is gone
  const send = page.getByRole('button', { name: 'Send without deleted files' })
  await send.first().waitFor()
  await page.reload()
  await page.getByText('Not saved.').waitFor()
  await send.click()
  await waitForReplyEnd(page)
}

it(
  'a document that is deleted between upload and send is reported, and nothing that was typed is lost',
  { tags: 'trial' },
  () => sendDeletedFile(word('Gone.docx', 'Hello')),
)

it(
  'an image that is deleted between upload and send is reported, and nothing that was typed is lost',
  { tags: 'trial' },
  () => sendDeletedFile(image('gone.png')),
)

it(
  'when the store is down, text and file stay, and the message can be sent once it is back',
  { tags: 'trial' },
  async () => {
    const { page } = await sharedPage()
    const { s3 } = await stack.endpoints()
    const everything = `${s3.replace(/\/$/, '')}/**`
    expectFailures(page, { url: new RegExp(`^${s3.replace(/\/$/, '')}`), status: 503 })
    await page.route(everything, (route) =>
      route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' }, body: 'down' }),
    )
    await composer(page).fill('What is the code word?')
    await choose(page, {
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('The code word is heron.'),
    })
    await chips(page).getByRole('button', { name: 'Retry notes.txt' }).waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('What is the code word?')
    await page.unroute(everything)
    await page.getByRole('button', { name: 'Retry notes.txt' }).click()
    await readyChip(page, 'notes.txt').waitFor()
    await sendButton(page).click()
    await page.getByText(/heron/).waitFor()
  },
)

it('each conversation has its own draft, with its files', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await sendMessage(page, '/echo Old')
  await waitForReplyEnd(page)
  await composer(page).fill('for the old one')
  await choose(page, word('Old.docx', 'Hello'))
  await readyChip(page, 'Old.docx').waitFor()
  await page.keyboard.press('Control+Shift+O')
  await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
  expect([await composer(page).inputValue(), await chips(page).count()]).toEqual(['', 0])
  await composer(page).fill('for a new one')
  await page.goBack()
  await readyChip(page, 'Old.docx').waitFor()
  await expect.poll(() => composer(page).inputValue()).toBe('for the old one')
})

it(
  'a draft with its files survives a reload; a long pasted text is one of them',
  { tags: 'long' },
  async () => {
    const { page } = await sharedPage()
    await composer(page).fill('half a thought')
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.setData('text/plain', 'many words '.repeat(1_000))
      document
        .querySelector('textarea')
        ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })
    await readyChip(page, 'Pasted text.txt').waitFor()
    await page.reload()
    await readyChip(page, 'Pasted text.txt').waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('half a thought')
  },
)

it('the files page fits a phone without a horizontal scroll bar', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await page.setViewportSize({ width: 320, height: 640 })
  await choose(
    page,
    image('a-very-long-name-of-an-image-that-nobody-would-type-by-hand.png'),
    word(`${'x'.repeat(120)}.docx`, 'Hi'),
  )
  await chips(page).filter({ hasText: 'ready' }).nth(1).waitFor()
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(() => overflow()).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: 'Send' }).click()
  await waitForReplyEnd(page)
  await expect.poll(() => overflow()).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: /^Open image full screen/ }).click()
  const close = await page.getByRole('dialog').getByRole('button', { name: 'Close' }).boundingBox()
  expect((close?.x ?? 0) + (close?.width ?? 999)).toBeLessThanOrEqual(320)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 800 })
})
